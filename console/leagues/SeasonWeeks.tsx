import { type ReactNode, useRef, useState } from 'react';
import { firstPlayed, LEFT_OUT } from '#contract/rules/leagues.ts';
import type { Matchup, ScheduleWeek } from '#contract/wire/leagues.ts';
import type { SeasonForStaff } from '#contract/wire/seasons.ts';
import { postponeWeek, ruleMatchup, undoPostponement } from '../api/calls.ts';
import { fieldsOf } from '../api/client.ts';
import { LEAGUES, useChange } from '../api/queries.ts';
import { DialogButtons, Goes, useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count } from '../ui/times.ts';
import { decidedWords } from '../ui/week-words.ts';
import { rulingOf } from './season-words.ts';
import { useSwap } from './swap.tsx';
import { longDay, plusDays, shortDay, span, weekHead } from './words.ts';

type Props = { league: string; page: SeasonForStaff };
type Asked =
  | { what: 'postpone'; week: ScheduleWeek }
  | { what: 'rule'; week: ScheduleWeek; matchup: Matchup };

const points = (total: number) => total.toLocaleString('en');

/**
 * A season's weeks: postpone one, swap opponents, decide a matchup by a ruling (SEASON-30,
 * SEASON-32, HAND-C1).
 */
export function SeasonWeeks({ league, page }: Props) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { schedule, season } = page;
  const list = useRef<HTMLUListElement>(null);
  const swap = useSwap(league, season, () => list.current?.focus());
  const { say, said } = useSaid();
  /** The Monday of the week that staff changed last. */
  const [changed, setChanged] = useState('');
  const undoing = useChange((week: string) => undoPostponement(league, week), {
    stale: [LEAGUES],
    onDone: () => say('The week is played as it was planned.'),
  });
  if (schedule.length === 0) return null;
  const done = (sentence: string) => {
    setChanged(asked?.week.from ?? '');
    setAsked(null);
    say(sentence);
  };
  return (
    <Panel title="Weeks" flush>
      {undoing.isError && <Failed what="Not taken back" error={undoing.error} />}
      <ul className="rows rows--acts mt2" tabIndex={-1} ref={list}>
        {schedule.map((week) => (
          <li key={week.from}>
            <span>
              <b>
                {weekHead(week)}, {span(week.from, week.to)}
              </b>
              {week.postponed !== undefined && <small>{week.postponed}</small>}
              {week.matchups.map((matchup) => (
                <MatchupLine
                  key={matchup.home}
                  matchup={matchup}
                  swap={swap.ofMatchup(week, matchup)}
                  choices={swap.choices(week, matchup)}
                  onRule={
                    season.state !== 'planned' &&
                    (matchup.home_total !== null || rulingOf(matchup) !== null)
                      ? () => setAsked({ what: 'rule', week, matchup })
                      : undefined
                  }
                />
              ))}
              {week.bye !== null && <small>{week.bye} have a bye</small>}
              {swap.ofWeek(week)}
              {week.from === changed && said}
            </span>
            {week.from >= season.current_week &&
              season.state !== 'final' &&
              week.postponed !== LEFT_OUT && (
                <span className="acts">
                  {week.postponed === undefined ? (
                    <Button onClick={() => setAsked({ what: 'postpone', week })}>
                      Postpone<span className="sr"> week {week.week}</span>
                    </Button>
                  ) : (
                    <Button
                      busy={undoing.isPending}
                      onClick={() => {
                        say('');
                        setChanged(week.from);
                        undoing.mutate(week.from);
                      }}
                    >
                      Take it back
                    </Button>
                  )}
                </span>
              )}
          </li>
        ))}
      </ul>
      {asked?.what === 'postpone' && (
        <Postpone
          league={league}
          week={asked.week}
          schedule={schedule}
          onClose={() => setAsked(null)}
          onDone={done}
        />
      )}
      {asked?.what === 'rule' && (
        <Rule
          league={league}
          {...asked}
          teamId={page.rows.find(({ team }) => team === asked.matchup.home)?.team_id}
          onClose={() => setAsked(null)}
          onDone={done}
        />
      )}
    </Panel>
  );
}

type LineProps = {
  matchup: Matchup;
  swap: ReactNode;
  choices: ReactNode;
  onRule?: (() => void) | undefined;
};

function MatchupLine({ matchup, swap, choices, onRule }: LineProps) {
  const { home, away, home_total, away_total } = matchup;
  const decided = decidedWords(matchup);
  return (
    <small className="fixture">
      <span>
        {home} {home_total === null ? 'v' : `${points(home_total)} – ${points(away_total ?? 0)}`}{' '}
        {away}
        {decided && `, ${decided}`}
      </span>
      <span>
        {swap}
        {onRule && (
          <Button look="txt" onClick={onRule}>
            Result
            <span className="sr">
              {' '}
              of {home} against {away}
            </span>
          </Button>
        )}
      </span>
      {choices}
    </small>
  );
}

type Dialogs = { league: string; onClose: () => void; onDone: (sentence: string) => void };

function Postpone({
  league,
  week,
  schedule,
  onClose,
  onDone,
}: Dialogs & { week: ScheduleWeek; schedule: ScheduleWeek[] }) {
  const [reason, setReason] = useState('');
  const changing = useChange(() => postponeWeek(league, week.from, reason), {
    stale: [LEAGUES],
    onDone: () =>
      onDone(`Week ${week.week} is postponed. Until ${longDay(week.to)} you can take it back.`),
  });
  const errors = fieldsOf(changing.error);
  const later = schedule.filter(({ from, postponed }) => from >= week.from && !postponed);
  const paused = schedule.flatMap(({ from, postponed }) => (postponed ? from : []));
  const moved = later
    .slice(0, 2)
    .map((one) => {
      const [from, to] = nextFree(one, paused);
      return `week ${one.week} becomes ${shortDay(from)} to ${shortDay(to)}`;
    })
    .join(', ');
  return (
    <Dialog title={`Postpone week ${week.week}?`} onClose={onClose}>
      <p>
        <b>{span(week.from, week.to)}</b> is played from {longDay(nextFree(week, paused)[0])} on,
        and everything after it moves too.
      </p>
      <Goes
        stops={[
          'Games played in the postponed week count in no table; they stay in the players’ figures.',
        ]}
        stays={[
          `${moved.charAt(0).toUpperCase()}${moved.slice(1)}${later.length > 2 ? `, and ${count(later.length - 2, 'more week')}` : ''}.`,
          'Each player has 8 games again in the week after.',
          `Until ${longDay(week.to)}, midnight, you can take it back.`,
        ]}
      />
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!changing.isPending) changing.mutate(undefined);
        }}
      >
        <Field
          label="Reason, the teams read it"
          value={reason}
          error={errors.reason}
          autoComplete="off"
          onChange={(event) => setReason(event.target.value)}
        />
        {changing.isError && errors.reason === undefined && (
          <Failed what="Not postponed" error={changing.error} />
        )}
        <DialogButtons
          verb={`Postpone week ${week.week}`}
          first
          busy={changing.isPending || reason.trim() === ''}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

/** The first and last day of the next week that is neither postponed nor left out (SEASON-32). */
function nextFree(
  { from }: Pick<ScheduleWeek, 'from'>,
  paused: readonly string[],
): [string, string] {
  const monday = firstPlayed(plusDays(from, 7), paused);
  return [monday, plusDays(monday, 6)];
}

function Rule({
  league,
  week,
  matchup,
  teamId,
  onClose,
  onDone,
}: Dialogs & {
  week: ScheduleWeek;
  matchup: Matchup;
  /** The home team's. */
  teamId: string | undefined;
}) {
  const { home, away } = matchup;
  const ruled = rulingOf(matchup);
  const choices = {
    home: `${away} forfeit: ${home} win`,
    away: `${home} forfeit: ${away} win`,
    both_lose: `${home} and ${away} both lose`,
    annulled: `${home} against ${away} is annulled: nobody has a result`,
    none: `The totals of ${home} and ${away} decide, without a ruling`,
  };
  type Choice = keyof typeof choices;
  const [ruling, setRuling] = useState<Choice | null>(ruled?.ruling ?? null);
  const [reason, setReason] = useState(ruled?.reason ?? '');
  const changing = useChange(
    (chosen: Choice) =>
      ruleMatchup(league, {
        week: week.from,
        team: `id:${teamId}`,
        ruling: chosen,
        ...(chosen === 'none' ? {} : { reason }),
      }),
    {
      stale: [LEAGUES],
      onDone: ({ changes }) => onDone(changes.join(' ')),
    },
  );
  const errors = fieldsOf(changing.error);
  return (
    <Dialog title={`${home} against ${away}`} onClose={onClose}>
      <p>
        {matchup.home_total === null
          ? `Week ${week.week} has not begun.`
          : `Week ${week.week}, ${points(matchup.home_total)} to ${points(matchup.away_total ?? 0)}. The totals stay as played.`}
      </p>
      <form
        className="form mt3"
        onSubmit={(event) => {
          event.preventDefault();
          if (!changing.isPending && ruling !== null) changing.mutate(ruling);
        }}
      >
        <fieldset className="field">
          <legend className="sr">Ruling</legend>
          {(Object.keys(choices) as Choice[])
            .filter((choice) => choice !== 'none' || ruled !== null)
            .map((choice) => (
              <label className="check" key={choice}>
                <input
                  type="radio"
                  name="ruling"
                  checked={ruling === choice}
                  onChange={() => setRuling(choice)}
                />
                <span>{choices[choice]}</span>
              </label>
            ))}
        </fieldset>
        {ruling !== 'none' && (
          <Field
            label="Reason, both teams read it"
            value={reason}
            error={errors.reason}
            autoComplete="off"
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        {changing.isError && errors.reason === undefined && (
          <Failed what="Not set" error={changing.error} />
        )}
        <DialogButtons
          verb={ruling === 'none' ? 'Remove the ruling' : 'Set the result'}
          first
          busy={
            changing.isPending || ruling === null || (ruling !== 'none' && reason.trim() === '')
          }
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}
