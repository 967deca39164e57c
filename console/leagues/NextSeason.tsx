import { useState } from 'react';
import type { LeaguePage } from '#contract/wire/leagues.ts';
import type { NextSeasonPreview, SeasonForStaff } from '#contract/wire/seasons.ts';
import {
  listSeasons,
  makeNextSeason,
  previewNextSeason,
  readLeague,
  readSeason,
} from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { LEAGUES, leagueKey, seasonKey, useChange, useRead } from '../api/queries.ts';
import { navigate } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { seasonPath } from '../shell/paths.ts';
import { Button } from '../ui/Button.tsx';
import { Check, Field } from '../ui/Field.tsx';
import { useLater } from '../ui/later.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count } from '../ui/times.ts';
import { LeaveOut } from './plan-form.tsx';
import { ordinal, rowOf } from './season-words.ts';
import { mondayOf, roundWeeks, shortDay } from './words.ts';

/** A form for the next season, with its consequences in figures beside it (SEASON-50). */
export function NextSeason({ id }: { id: string }) {
  const league = useRead(leagueKey(id), () => readLeague(id), ['weeks']);
  const former = useRead(seasonKey(id, 'former'), async () => {
    const { results } = await listSeasons(id);
    const last = results.at(-1);
    return last === undefined ? null : readSeason(last.id);
  }, ['weeks']);
  return (
    <Page
      title="Next season"
      about={league.data && former.data && `${league.data.name}, after ${former.data.season.name}`}
      back={{ to: `/console/leagues/${id}/season`, name: league.data?.name ?? 'League' }}
    >
      <Loaded read={former} what="the season">
        {(page) =>
          page && league.data ? <Plan league={league.data} former={page} /> : <p>Loading…</p>
        }
      </Loaded>
    </Page>
  );
}

function Plan({ league, former }: { league: LeaguePage; former: SeasonForStaff }) {
  const [name, setName] = useState('');
  const [starts, setStarts] = useState('');
  const [weeks, setWeeks] = useState('');
  const [leaveOut, setLeaveOut] = useState<readonly string[]>([]);
  /** The ids of the teams that do not go on. */
  const [off, setOff] = useState<readonly string[]>(() =>
    league.teams.flatMap(({ id }) => (rowOf(former, id).withdrew ? id : [])),
  );
  const [fresh, setFresh] = useState<readonly string[]>([]);
  const [typed, setTyped] = useState('');
  const [players, setPlayers] = useState<'keep' | 'leave'>('keep');
  const [codes, setCodes] = useState<'keep' | 'new'>('keep');
  const [atOnce, setAtOnce] = useState(false);
  const teams = league.teams.filter(({ id }) => !off.includes(id)).map(({ name }) => name);
  // A typed name counts without a press of “Add” too.
  const added = typed.trim() === '' ? fresh : [...fresh, typed.trim()];
  const wanted = {
    ...(name === '' ? {} : { name }),
    ...(starts === '' ? {} : { starts }),
    ...(/^\d{1,2}$/.test(weeks) ? { weeks: Number(weeks) } : {}),
    leave_out: [...leaveOut],
    teams,
    new_teams: [...added],
    players,
    codes,
  };
  const asked = useLater(JSON.stringify(wanted));
  const making = useChange(() => makeNextSeason(league.id, { ...wanted, at_once: atOnce }), {
    stale: [LEAGUES],
    onDone: ({ season }) => navigate(`${seasonPath(league.id, season.id)}&made=1`),
  });
  const preview = useRead(
    ['next season', league.id, asked],
    () => previewNextSeason(league.id, JSON.parse(asked) as typeof wanted),
    // No topics, and none while it is made: making it sends an event, after which a preview is
    // refused.
    [],
    !making.isPending && !making.isSuccess,
    true,
  );
  const errors = fieldsOf(preview.error);
  const number = teams.length + added.length;
  const shown = preview.data;
  const add = () => {
    setFresh(added);
    setTyped('');
  };
  return (
    <form
      className="cols cols--wide"
      onSubmit={(event) => {
        event.preventDefault();
        if (making.isPending || preview.isError) return;
        // The first week may have begun since the form opened.
        making.mutate(undefined, { onError: () => void preview.refetch() });
      }}
    >
      <div className="col">
        <Panel title="Season">
          <div className="form form--2 mt3">
            <Field
              label="Name"
              value={name}
              error={errors.name}
              placeholder={shown?.name ?? ''}
              autoComplete="off"
              onChange={(event) => setName(event.target.value)}
            />
            <Field
              label="First week begins"
              type="date"
              value={starts === '' ? (shown?.starts_on ?? '') : starts}
              error={errors.starts}
              help={
                starts !== '' && mondayOf(starts) !== starts
                  ? `Its week begins on Mon ${shortDay(mondayOf(starts))}.`
                  : undefined
              }
              onChange={(event) => {
                setStarts(event.target.value);
                setLeaveOut([]);
                setAtOnce(false);
              }}
            />
            <Field
              label="Weeks"
              type="number"
              min={0}
              max={53}
              value={weeks === '' ? (shown?.weeks ?? '') : weeks}
              error={errors.weeks}
              help={weeksWords(number, weeks === '')}
              onChange={(event) => {
                setWeeks(event.target.value);
                setLeaveOut([]);
              }}
            />
          </div>
          {shown !== undefined && shown.weeks > 0 && (
            <LeaveOut
              from={shown.starts_on}
              weeks={shown.weeks}
              leftOut={leaveOut}
              error={errors.leave_out}
              onChange={setLeaveOut}
            />
          )}
        </Panel>
        <Panel
          title="Teams"
          action={
            <span className="sm">
              {fresh.length === 0
                ? `${teams.length} of ${league.teams.length} go on`
                : `${teams.length} of ${league.teams.length} go on, ${fresh.length} new`}
            </span>
          }
        >
          <div className="two mt2">
            {league.teams.map((team) => (
              <Check
                key={team.id}
                checked={!off.includes(team.id)}
                onChange={() =>
                  setOff(
                    off.includes(team.id)
                      ? off.filter((one) => one !== team.id)
                      : [...off, team.id],
                  )
                }
              >
                <b>{team.name}</b>
                <small>
                  {placeWords(former, team.id)}
                  {count(team.players.length, 'player')}
                </small>
              </Check>
            ))}
            {fresh.map((team) => (
              <Check
                key={team}
                checked
                onChange={() => setFresh(fresh.filter((one) => one !== team))}
              >
                <b>{team}</b>
                <small>New</small>
              </Check>
            ))}
          </div>
          <div className="form form--row mt3">
            <Field
              label="New team"
              value={typed}
              error={errors.new_teams}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                add();
              }}
            />
            <Button onClick={add}>Add</Button>
          </div>
          {errors.teams && <Failed what="These teams cannot play" error={preview.error} />}
        </Panel>
      </div>
      <div className="col">
        <Panel title="Players and posters">
          <Choice
            legend="Players"
            chosen={players}
            onChoose={setPlayers}
            choices={[
              ['keep', 'Everybody stays on the team', count(playersOf(league, teams), 'player')],
              ['leave', 'Teams begin empty', 'Players join again by code'],
            ]}
          />
          <hr className="rule" />
          <Choice
            legend="Codes"
            chosen={codes}
            onChoose={setCodes}
            choices={[
              ['keep', 'Keep the codes', 'Posters stay on the wall'],
              ['new', 'New codes', `${count(number, 'poster')} to print again`],
            ]}
          />
        </Panel>
        <section className="panel" aria-live="polite" aria-labelledby="happens">
          <h2 id="happens">What happens</h2>
          {shown && !preview.isError && <Happens next={shown} />}
          {preview.isError && Object.keys(errors).length === 0 && (
            <Failed what="This season cannot be made" error={preview.error} />
          )}
          {shown?.begins_at_once && (
            <Check checked={atOnce} onChange={(event) => setAtOnce(event.target.checked)}>
              Begin in the running week
            </Check>
          )}
          {making.isError && <Failed what="Not made" error={making.error} />}
          <div className="acts mt4">
            <Button look="primary lg full" type="submit" busy={making.isPending || preview.isError}>
              Make this season
            </Button>
          </div>
        </section>
      </div>
    </form>
  );
}

/** The players of the teams that go on. */
const playersOf = (league: LeaguePage, goOn: readonly string[]) =>
  league.teams
    .filter(({ name }) => goOn.includes(name))
    .reduce((sum, { players }) => sum + players.length, 0);

function weeksWords(teams: number, asBefore: boolean): string | undefined {
  if (teams < 2) return undefined;
  const round = roundWeeks(teams);
  return `${asBefore ? 'As many as last season. ' : ''}With ${teams} teams a round is ${count(round, 'week')}: ${round}, ${2 * round} or ${3 * round} are fair to all.`;
}

/** `1st, ` */
function placeWords(former: SeasonForStaff, id: string): string {
  const { place } = rowOf(former, id);
  return place === null ? '' : `${ordinal(place)}, `;
}

function Choice<T extends string>({
  legend,
  chosen,
  onChoose,
  choices,
}: {
  legend: string;
  chosen: T;
  onChoose: (choice: T) => void;
  choices: readonly (readonly [T, string, string])[];
}) {
  return (
    <fieldset className="field mt2">
      <legend className="sr">{legend}</legend>
      {choices.map(([value, words, about]) => (
        <label className="check" key={value}>
          <input
            type="radio"
            name={legend}
            checked={chosen === value}
            onChange={() => onChoose(value)}
          />
          <span>
            <b>{words}</b>
            <small>{about}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Happens({ next }: { next: NextSeasonPreview }) {
  const { starts_on, teams, new_teams, weeks, players_stay, players_leave, leave_at } = next;
  const begun = next.begins_at_once;
  const [first] = next.schedule;
  const day = shortDay(starts_on);
  return (
    <ol className="steps mt3">
      <li>
        <span>
          <b>Now</b>
          <br />
          {count(teams.length + new_teams.length, 'team')}, {count(players_stay, 'player')} and{' '}
          {count(weeks, 'week')} are ready.{' '}
          {players_leave > 0 &&
            `${count(players_leave, 'player')} leave their teams${leave_at === 'final' ? ' once the former season is final' : ''}. `}
          {next.new_codes > 0 && `${count(next.new_codes, 'new code')}. `}
          {!begun && <>Everybody sees “The next season begins Mon {day}”.</>}
        </span>
      </li>
      <li>
        <span>
          <b>{begun ? 'At once' : `Until Mon ${day}`}</b>
          <br />
          {begun
            ? 'This week has begun: the season runs, and cannot be moved or dropped. Games of this week that come in from now on count for the teams; those already in do not.'
            : 'Games count for players only. You can change or drop all of this.'}
        </span>
      </li>
      <li>
        <span>
          <b>{begun ? 'This week' : `Mon ${day}, 00:00`}</b>
          <br />
          {first
            ? `Week 1: ${[...first.matchups.map(({ home, away }) => `${home} – ${away}`), ...(first.bye === null ? [] : [`${first.bye} have a bye`])].join(', ')}.`
            : 'No matchups yet: make the weeks later.'}
        </span>
      </li>
    </ol>
  );
}
