import { useState } from 'react';
import {
  CUP_DEFAULTS,
  CUP_MINUTES,
  CUP_MINUTES_STEP,
  CUP_NAME_MAX,
  CUP_PAUSE,
} from '#contract/rules/cups.ts';
import { serverNow } from '../../web/ui/server-clock.ts';
import {
  type CupFields,
  listContests,
  listLeagues,
  listSeasons,
  listVenues,
  makeCup,
  previewCup,
} from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { CONTESTS, LEAGUES, seasonKey, useChange, useRead, VENUES } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { useMe } from '../session/me.tsx';
import { Page } from '../shell/Page.tsx';
import { Field, Select } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count, inputTime } from '../ui/times.ts';
import { CupTree } from './CupTree.tsx';

type From = CupFields['from'];
const FROM: Record<From, string> = {
  sides: 'Sides by hand',
  week: 'This week’s board of the venue',
  season: 'Final table of a season',
  contest: 'Places of a contest',
};
const HOUR_MS = 3_600_000;

/** A new cup: the preview on the left, the form on the right (CUP-01). */
export function NewCup() {
  const { venues } = useMe();
  const [form, setForm] = useState({
    name: 'Finals night',
    from: 'week' as From,
    venue: venues[0]?.id ?? '',
    league: '',
    season: '',
    contest: '',
    sides: '',
    size: 8,
    best: '',
    of: '',
    per_player: '',
    starts: '',
    minutes: CUP_MINUTES,
    pause: CUP_PAUSE,
    weeks: false,
    third: true,
    draw: false,
  });
  const set = (part: Partial<typeof form>) => setForm({ ...form, ...part });
  const zones = useRead(VENUES, listVenues, ['machines']).data?.results;
  const leagues = useRead(LEAGUES, listLeagues, ['weeks']).data?.results ?? [];
  const contests = useRead([...CONTESTS, null], () => listContests(null), ['contests']).data;
  const league = form.league === '' ? undefined : leagues.find(({ id }) => id === form.league);
  const seasons = useRead(
    seasonKey('cup', form.league),
    () => (form.league === '' ? Promise.resolve({ results: [] }) : listSeasons(form.league)),
    ['weeks'],
  ).data;
  const timezone = zones?.find(({ id }) => id === form.venue)?.timezone ?? 'UTC';
  const next = (Math.floor(serverNow() / HOUR_MS) + 1) * HOUR_MS;
  const starts = form.starts || `${inputTime(new Date(next), timezone).slice(0, 14)}00`;
  const number = (text: string) => (text === '' ? undefined : Number(text));
  const teams = form.from === 'season' || (form.from === 'sides' && league !== undefined);
  const names = form.sides
    .split('\n')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const sides = form.from === 'sides' ? names.length : form.size;
  const fields: CupFields = {
    name: form.name,
    from: form.from,
    ...(form.venue !== '' && { venue: `id:${form.venue}` }),
    ...(form.from === 'sides' && { sides: names }),
    ...(form.from === 'sides' && league !== undefined && { league: `id:${league.id}` }),
    ...(form.from === 'season' && { season: form.season }),
    ...(form.from === 'contest' && { contest: form.contest }),
    ...(form.from !== 'sides' && { size: form.size }),
    best: number(form.best),
    of: number(form.of),
    per_player: number(form.per_player),
    ...(sides < 4 || !form.third ? { third: false } : {}),
    windows: form.weeks ? 'weeks' : 'hours',
    starts,
    minutes: form.minutes,
    pause: form.pause,
    draw: form.draw,
  };
  const previewing = useChange(() => previewCup(fields), { stale: [] });
  const making = useChange(() => makeCup(fields), {
    stale: [CONTESTS],
    onDone: ({ id }) => navigate(`/console/contests/cups/${id}`),
  });
  const failed = making.error ?? previewing.error;
  const errors = fieldsOf(failed);
  const busy = making.isPending || previewing.isPending;
  const shown = previewing.data;
  const defaults = CUP_DEFAULTS[teams ? 'teams' : 'players'];
  return (
    <Page
      title="New cup"
      about="Knockout: who loses is out"
      back={{ to: '/console/contests', name: 'Contests' }}
    >
      <div className="cols">
        <div className="col">
          {shown !== undefined && (
            <Panel
              title={`${count(shown.sides.length, 'side')}, ${count(shown.rounds.length, 'round')}`}
            >
              <p className="sm mt1">Nothing is kept until you press the button.</p>
              <CupTree rounds={shown.rounds} timezone={timezone} />
            </Panel>
          )}
        </div>
        <div className="col">
          <Panel title="Cup">
            <form
              className="form mt3"
              onSubmit={(event) => {
                event.preventDefault();
                if (!busy) making.mutate(undefined);
              }}
            >
              <Field
                label="Name"
                value={form.name}
                error={errors.name}
                maxLength={CUP_NAME_MAX}
                onChange={(event) => set({ name: event.target.value })}
              />
              <Select
                label="Sides"
                value={form.from}
                onChange={(event) => set({ from: event.target.value as From })}
              >
                {Object.entries(FROM).map(([from, words]) => (
                  <option key={from} value={from}>
                    {words}
                  </option>
                ))}
              </Select>
              {(form.from === 'sides' || form.from === 'season') && (
                <Select
                  label="League"
                  value={form.league}
                  error={errors.league}
                  onChange={(event) => set({ league: event.target.value, season: '' })}
                >
                  <option value="">{form.from === 'sides' ? 'None: players' : 'Choose'}</option>
                  {leagues.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
              {form.from === 'season' && (
                <Select
                  label="Season"
                  value={form.season}
                  error={errors.season}
                  onChange={(event) => set({ season: event.target.value })}
                >
                  <option value="">Choose</option>
                  {(seasons?.results ?? []).map(({ id, name }) => (
                    <option key={id} value={`id:${id}`}>
                      {name}
                    </option>
                  ))}
                </Select>
              )}
              {form.from === 'contest' && (
                <Select
                  label="Contest"
                  value={form.contest}
                  error={errors.contest}
                  onChange={(event) => set({ contest: event.target.value })}
                >
                  <option value="">Choose</option>
                  {(contests?.results ?? [])
                    .filter(({ state }) => state === 'final')
                    .map(({ id, name }) => (
                      <option key={id} value={`id:${id}`}>
                        {name}
                      </option>
                    ))}
                </Select>
              )}
              {form.from === 'sides' && (
                <div className="field">
                  <label htmlFor="cup-sides">One side a line, the best seed first</label>
                  <textarea
                    className="input"
                    id="cup-sides"
                    rows={8}
                    value={form.sides}
                    aria-describedby="cup-sides-error"
                    onChange={(event) => set({ sides: event.target.value })}
                  />
                  <p className="error" id="cup-sides-error" role="alert">
                    {errors.sides}
                  </p>
                </div>
              )}
              {form.from !== 'sides' && (
                <Field
                  label="How many sides"
                  type="number"
                  min={2}
                  max={64}
                  value={form.size}
                  error={errors.size}
                  onChange={(event) => set({ size: Number(event.target.value) })}
                />
              )}
              <Select
                label="Venue"
                value={form.venue}
                error={errors.venue}
                onChange={(event) => set({ venue: event.target.value })}
              >
                {teams && <option value="">All venues</option>}
                {venues.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </Select>
              <Field
                label="Best"
                type="number"
                min={1}
                max={10}
                placeholder={String(defaults.best)}
                value={form.best}
                error={errors.best}
                onChange={(event) => set({ best: event.target.value })}
              />
              <Field
                label="of a side’s first"
                type="number"
                min={1}
                max={20}
                placeholder={String(defaults.of)}
                value={form.of}
                error={errors.of}
                onChange={(event) => set({ of: event.target.value })}
              />
              {teams && (
                <Field
                  label="Games of one player"
                  type="number"
                  min={1}
                  max={20}
                  placeholder={String(defaults.per_player)}
                  value={form.per_player}
                  error={errors.per_player}
                  onChange={(event) => set({ per_player: event.target.value })}
                />
              )}
              <fieldset className="field">
                <legend>Windows</legend>
                <label className="check">
                  <input
                    type="radio"
                    name="cup-windows"
                    checked={!form.weeks}
                    onChange={() => set({ weeks: false })}
                  />
                  <span>
                    <b>Hours, one night</b>
                  </span>
                </label>
                <label className="check">
                  <input
                    type="radio"
                    name="cup-windows"
                    checked={form.weeks}
                    onChange={() => set({ weeks: true })}
                  />
                  <span>
                    <b>A week each</b>
                    <small>Monday to Monday</small>
                  </span>
                </label>
              </fieldset>
              <Field
                label="Begins"
                type="datetime-local"
                value={starts}
                error={errors.starts}
                onChange={(event) => set({ starts: event.target.value })}
              />
              {!form.weeks && (
                <>
                  <Field
                    label="Minutes each"
                    type="number"
                    min={CUP_MINUTES_STEP}
                    step={CUP_MINUTES_STEP}
                    value={form.minutes}
                    error={errors.minutes}
                    onChange={(event) => set({ minutes: Number(event.target.value) })}
                  />
                  <Field
                    label="Minutes between"
                    type="number"
                    min={0}
                    value={form.pause}
                    error={errors.pause}
                    onChange={(event) => set({ pause: Number(event.target.value) })}
                  />
                </>
              )}
              <label className="check">
                <input
                  type="checkbox"
                  checked={form.third}
                  onChange={(event) => set({ third: event.target.checked })}
                />
                <span>
                  <b>Play for third place</b>
                </span>
              </label>
              <label className="check">
                <input
                  type="checkbox"
                  checked={form.draw}
                  onChange={(event) => set({ draw: event.target.checked })}
                />
                <span>
                  <b>Draw the seeds instead</b>
                </span>
              </label>
              {failed !== null && Object.keys(errors).length === 0 && (
                <Failed what="Not made" error={failed} />
              )}
              <div className="acts">
                <button
                  className="btn btn--full"
                  type="button"
                  aria-disabled={busy || undefined}
                  onClick={() => busy || previewing.mutate(undefined)}
                >
                  Look first
                </button>
                <button
                  className="btn btn--primary btn--full"
                  type="submit"
                  aria-disabled={busy || undefined}
                >
                  Make this cup
                </button>
              </div>
            </form>
          </Panel>
        </div>
      </div>
    </Page>
  );
}
