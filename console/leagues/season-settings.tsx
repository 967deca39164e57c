import { useState } from 'react';
import { openWords } from '#contract/rules/leagues.ts';
import type { SeasonForStaff, SeasonListed, TieBreak } from '#contract/wire/seasons.ts';
import { changeSeason, dropSeason, endSeason } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { LEAGUES, useChange } from '../api/queries.ts';
import { AskDialog, Goes } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { changedFields } from '../ui/changed-fields.ts';
import { Check, Field, Select } from '../ui/Field.tsx';
import { FormDialog } from '../ui/FormDialog.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count, dayInWords } from '../ui/times.ts';
import { endedWords } from './season-words.ts';
import { fullDay, hasBegun, plusDays } from './words.ts';

const TIE_BREAKS: Record<TieBreak, string> = {
  total: 'Higher total, then their own matchups, then best weeks',
  head_to_head: 'Their own matchups, then higher total, then best weeks',
};

type Say = { say: (sentence: string) => void };
type Asked = { onClose: () => void; onDone: (sentence: string) => void };

/** What can change until the season is over (SEASON-01, SEASON-03, SEASON-36). */
export function Settings({ season, say }: { season: SeasonListed } & Say) {
  const [open, setOpen] = useState(false);
  const lock = season.rosters_lock_week;
  return (
    <Panel
      title="Settings"
      flush
      action={
        <Button onClick={() => setOpen(true)}>
          Change<span className="sr"> the settings</span>
        </Button>
      }
    >
      <ul className="rows mt2">
        <li>
          <span>
            <b>Equal wins</b>
            <small>{TIE_BREAKS[season.tie_break]}</small>
          </span>
        </li>
        <li>
          <span>
            <b>Late games</b>
            <small>{count(season.grace_hours, 'hour')} after the last week</small>
          </span>
        </li>
        <li>
          <span>
            <b>End</b>
            <small>
              {season.ends === 'schedule'
                ? 'With its last scheduled week'
                : season.last_week === null
                  ? 'When you end it'
                  : `On ${fullDay(plusDays(season.last_week, 6))}`}
            </small>
          </span>
        </li>
        <li>
          <span>
            <b>Teams</b>
            <small>
              {lock === null ? 'Open for new players' : `Closed from ${fullDay(lock)} on`}
            </small>
          </span>
        </li>
      </ul>
      {open && (
        <ChangeSettings
          season={season}
          onClose={() => setOpen(false)}
          onDone={(sentence) => {
            setOpen(false);
            say(sentence);
          }}
        />
      )}
    </Panel>
  );
}

function ChangeSettings({ season, onClose, onDone }: { season: SeasonListed } & Asked) {
  const [opened] = useState({ ...season, starts: season.starts_on });
  const [name, setName] = useState(season.name);
  const [tieBreak, setTieBreak] = useState(season.tie_break);
  const [ends, setEnds] = useState(season.ends);
  const [grace, setGrace] = useState(String(season.grace_hours));
  const [lock, setLock] = useState(season.rosters_lock_week ?? '');
  const [starts, setStarts] = useState(season.starts_on);
  const [atOnce, setAtOnce] = useState(false);
  const changing = useChange(
    () =>
      changeSeason(season.id, {
        ...changedFields(opened, {
          name,
          tie_break: tieBreak,
          ends,
          grace_hours: Number(grace),
          rosters_lock_week: lock === '' ? null : lock,
          starts,
        }),
        at_once: atOnce,
      }),
    { stale: [LEAGUES], onDone: () => onDone('Saved.') },
  );
  const errors = fieldsOf(changing.error);
  return (
    <FormDialog
      title={`Settings of ${season.name}`}
      verb="Save"
      failed="Not changed"
      missing={grace === ''}
      change={changing}
      onClose={onClose}
    >
      <Field
        label="Name"
        value={name}
        error={errors.name}
        autoComplete="off"
        data-first
        onChange={(event) => setName(event.target.value)}
      />
      {season.state === 'planned' && (
        <Field
          label="First week begins"
          type="date"
          value={starts}
          error={errors.starts}
          onChange={(event) => {
            setStarts(event.target.value);
            setAtOnce(false);
          }}
        />
      )}
      {season.state === 'planned' &&
        (hasBegun(starts, season.current_week) || errors.starts !== undefined) && (
          <>
            <Goes
              stops={[
                'The season runs at once, and cannot be moved or dropped.',
                'Games of this week that are already in do not count for the teams.',
              ]}
              stays={['Games of this week that come in from now on count for the teams.']}
            />
            <Check checked={atOnce} onChange={(event) => setAtOnce(event.target.checked)}>
              Begin in the running week
            </Check>
          </>
        )}
      <Select
        label="Equal wins"
        value={tieBreak}
        error={errors.tie_break}
        help="It is fixed once the first week is over."
        onChange={(event) => setTieBreak(event.target.value as TieBreak)}
      >
        {Object.entries(TIE_BREAKS).map(([key, words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </Select>
      <Select
        label="End"
        value={ends}
        error={errors.ends}
        onChange={(event) => setEnds(event.target.value as SeasonListed['ends'])}
      >
        <option value="schedule">With its last scheduled week</option>
        <option value="open">When you end it</option>
      </Select>
      <Field
        label="Hours for late games"
        type="number"
        min={0}
        max={336}
        required
        value={grace}
        error={errors.grace_hours}
        onChange={(event) => setGrace(event.target.value)}
      />
      <Field
        label="Teams are closed from"
        type="date"
        value={lock}
        error={errors.rosters_lock_week}
        help="Codes and requests stop working; staff can still move players. Empty: teams stay open."
        onChange={(event) => setLock(event.target.value)}
      />
    </FormDialog>
  );
}

/**
 * Ends a running season after its last finished or its running week, or makes a season in grace
 * final (SEASON-22). `isLast`: no season is planned after it.
 */
export function EndSeason({
  league,
  page: { season, open },
  isLast,
  onClose,
  onDone,
}: { league: string; page: SeasonForStaff; isLast: boolean } & Asked) {
  const isFinished = season.starts_on < season.current_week;
  const [after, setAfter] = useState<'finished' | 'running'>('running');
  const inGrace = season.state === 'grace';
  const monday = season.current_week;
  const ending = useChange(() => endSeason(league, after, inGrace), {
    stale: [LEAGUES],
    onDone: ({ season: ended, changes }) => onDone([endedWords(ended), ...changes].join(' ')),
  });
  const left = openWords(open);
  const last = after === 'running' ? monday : plusDays(monday, -7);
  const back = season.entries.filter(({ to_week }) => to_week !== null && to_week >= last);
  const lost = [
    ...(back.length === 0
      ? []
      : [`These teams no longer withdraw: ${back.map(({ team }) => team).join(', ')}.`]),
    ...(season.pauses.some(({ week }) => week > last)
      ? ['Postponements of weeks that are not played are deleted.']
      : []),
  ];
  const nextFrom =
    after === 'running'
      ? `You can make the next season from ${dayInWords(plusDays(monday, 7))} on.`
      : 'You can make the next season at once.';
  const waits = left === '' ? [] : [`The table is not final before staff decide ${left}.`];
  return (
    <AskDialog
      title={inGrace ? `End ${season.name} now?` : `End ${season.name}?`}
      stops={
        inGrace
          ? [
              'The table is final at once. Later only a correction changes it.',
              ...(left === '' ? [] : [`Left out for good: ${left}.`]),
            ]
          : after === 'finished'
            ? [
                'The matchups of the running week and all later ones are deleted.',
                'Games of the running week count only for their players, not for a team.',
                ...lost,
                ...waits,
              ]
            : [
                'Matchups after the running week are deleted.',
                'Later games count only for their players, not for a team.',
                ...lost,
                ...waits,
              ]
      }
      stays={
        inGrace
          ? ['Teams, players and posters stay.']
          : [
              `Late games count for ${count(season.grace_hours, 'hour')} after the season’s last week.`,
              'Teams, players and posters stay.',
              ...(isLast ? [nextFrom] : []),
            ]
      }
      verb={inGrace ? 'End it now' : 'End the season'}
      failed="Not ended"
      change={ending}
      onClose={onClose}
    >
      {!inGrace && (
        <fieldset className="field mt2">
          <legend>The last week that counts</legend>
          {(
            [
              ['finished', `The last finished week, to ${dayInWords(plusDays(monday, -1))}`],
              ['running', `The running week, to ${dayInWords(plusDays(monday, 6))}`],
            ] as const
          ).map(([value, words]) => (
            <label className="check" key={value}>
              <input
                type="radio"
                name="after"
                checked={after === value}
                disabled={value === 'finished' && !isFinished}
                onChange={() => setAfter(value)}
              />
              <span>
                {words}
                {value === 'finished' && !isFinished && <small>No week is finished yet</small>}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </AskDialog>
  );
}

/** Drops a planned season (SEASON-52). */
export function DropSeason({ season, onClose, onDone }: { season: SeasonListed } & Asked) {
  const dropping = useChange(() => dropSeason(season.id), {
    stale: [LEAGUES],
    onDone: () => onDone(`${season.name} is dropped.`),
  });
  return (
    <AskDialog
      title={`Drop ${season.name}?`}
      stops={['The season and its matchups are gone.']}
      stays={['Teams, players and former seasons stay.']}
      verb="Drop it"
      failed="Not dropped"
      change={dropping}
      onClose={onClose}
    />
  );
}
