import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useRef, useState } from 'react';
import { SEASON_WEEKS_MAX } from '#contract/rules/leagues.ts';
import type { LeaguePage, ScheduleWeek } from '#contract/wire/leagues.ts';
import { clearWeeks, makeWeeks, previewWeeks, readLeague } from '../api/calls.ts';
import { ApiError, fieldsOf } from '../api/client.ts';
import { LEAGUES, leagueKey, useChange, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { seasonPath } from '../shell/paths.ts';
import { AskDialog } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { useLater } from '../ui/later.ts';
import { Failed, Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { count } from '../ui/times.ts';
import { decidedWords } from '../ui/week-words.ts';
import { LeaveOut, leftOutOf } from './plan-form.tsx';
import {
  freeWeek,
  longDay,
  type Made,
  madeOf,
  nextWords,
  roundWeeks,
  shortDay,
  weekHead,
} from './words.ts';

/** The status with which the server refuses new weeks if one of them already has matchups. */
const CLASH = 409;

/** A league's weeks, or a plan for new ones. */
export function Weeks({ id }: { id: string }) {
  const read = useRead(leagueKey(id), () => readLeague(id), ['weeks']);
  const [made, setMade] = useState<Made | null>(null);
  /** Whether the person asked for a plan. Without weeks, a plan is shown at once. */
  const [planning, setPlanning] = useState(false);
  const status = useRef<HTMLDivElement>(null);
  const done = (weeks: Made | null) => {
    setMade(weeks);
    setPlanning(false);
    // Focus the status, because the pressed button is gone.
    status.current?.focus();
  };
  return (
    <Page
      title="Weeks"
      about={read.data?.name}
      back={{ to: `/console/leagues/${id}`, name: read.data?.name ?? 'League' }}
    >
      <Loaded read={read} what="the weeks">
        {(league) => (
          <>
            <div role="status" tabIndex={-1} ref={status}>
              {made && (
                <Note>
                  <b>{count(made.weeks, 'week')} made,</b> from {longDay(made.from)} to{' '}
                  {longDay(made.to)}. They are under “Made already”.
                </Note>
              )}
            </div>
            <div className={made ? 'mt4' : undefined}>
              {league.planning !== null && (league.schedule.length === 0 || planning) ? (
                <Plan league={league} season={league.planning} onMade={done} />
              ) : (
                <Finished league={league} onPlan={() => setPlanning(true)} onCleared={done} />
              )}
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The season that takes new weeks. */
type Planning = NonNullable<LeaguePage['planning']>;

const weekCount = (typed: string) => {
  const weeks = Number(typed);
  return Number.isInteger(weeks) && weeks >= 1 && weeks <= SEASON_WEEKS_MAX ? weeks : null;
};

function Finished({
  league,
  onPlan,
  onCleared,
}: {
  league: LeaguePage;
  onPlan: () => void;
  onCleared: (made: null) => void;
}) {
  const { schedule, planning } = league;
  const coming = planning?.coming ?? 0;
  const isOver = planning?.season_id !== league.season_id;
  const [clearing, setClearing] = useState(false);
  return (
    <div className="cols cols--form">
      {schedule.length > 0 && (
        <div className="col">
          <Panel title="Made already">
            <WeekList weeks={schedule} />
          </Panel>
        </div>
      )}
      <div className="col">
        <Panel title="Season">
          {planning === null && league.next === null && (
            <p className="sm mt2">
              The season is over. Make a season first:{' '}
              <Link to={seasonPath(league.id, league.season_id)}>open Season</Link>.
            </p>
          )}
          {league.next !== null && (
            <p className="sm mt2">
              These are the weeks of the season before. {nextWords(league.next)}:{' '}
              <Link to={seasonPath(league.id, league.next.id)}>its weeks are on its page</Link>.
            </p>
          )}
          {planning !== null && (
            <div className="form mt3">
              <Button onClick={onPlan}>
                {isOver ? `Plan weeks of ${planning.season}` : 'Plan more weeks'}
              </Button>
              {coming > 0 && (
                <Button onClick={() => setClearing(true)}>
                  Clear {count(coming, 'coming week')}…
                </Button>
              )}
            </div>
          )}
          {!isOver && (
            <p className="sm mt3">
              To postpone a week or swap opponents,{' '}
              <Link to={seasonPath(league.id, league.season_id)}>open Season</Link>.
            </p>
          )}
          {coming > 0 && !isOver && (
            <p className="sm mt3">
              These weeks keep their matchups. To change weeks that have not begun, clear them and
              plan them again.
            </p>
          )}
        </Panel>
      </div>
      {clearing && planning !== null && (
        <Clear
          league={league.id}
          season={planning}
          onClose={() => setClearing(false)}
          onCleared={() => {
            setClearing(false);
            onCleared(null);
          }}
        />
      )}
    </div>
  );
}

function Plan({
  league: { id, teams },
  season,
  onMade,
}: {
  league: LeaguePage;
  season: Planning;
  onMade: (made: Made | null) => void;
}) {
  const { season_id, schedule, coming, first_free } = season;
  const round = roundWeeks(teams.length);
  const [from, setFrom] = useState(first_free);
  const [weeks, setWeeks] = useState(String(Math.min(2 * Math.max(1, round), SEASON_WEEKS_MAX)));
  const [leaveOut, setLeaveOut] = useState<readonly string[]>([]);
  const [clearing, setClearing] = useState(false);
  const left = from === '' ? [] : leftOutOf(from, weekCount(weeks) ?? 0, leaveOut);
  const asked = useLater([from, weeks, ...left].join(' ')).split(' ');
  const valid = from !== '' && weekCount(weeks) !== null;
  const ready = asked[0] !== '' && weekCount(asked[1] ?? '') !== null && teams.length >= 2;
  const preview = useQuery({
    // `schedule.length` is in the key, because newly made weeks may clash with the plan. If the key
    // began with `LEAGUES`, every change of a league would fetch the same plan again.
    queryKey: ['preview', id, teams.length, schedule.length, ...asked],
    queryFn: () => previewWeeks(id, asked[1] ?? '', asked[0] ?? '', asked.slice(2)),
    enabled: ready,
    placeholderData: keepPreviousData,
  });
  const making = useChange(() => makeWeeks(id, weekCount(weeks) ?? 1, from, left), {
    stale: [LEAGUES],
    onDone: ({ schedule: after }) =>
      onMade(madeOf(after, from, (weekCount(weeks) ?? 1) + left.length)),
  });
  const free = valid
    ? freeWeek(
        schedule.map((week) => week.from),
        from,
        weekCount(weeks) ?? 1,
      )
    : first_free;
  const planned = ready ? preview.data?.schedule : undefined;
  return (
    <div className="cols cols--form">
      <div className="col">
        {teams.length < 2 && <Note>Add at least two teams. Then you can make the weeks.</Note>}
        {planned && !preview.isError && (
          <section className="panel" aria-labelledby="preview" aria-live="polite">
            <h2 id="preview">
              {count(planned.length, 'week')},{' '}
              {count(
                planned.reduce((sum, { matchups }) => sum + matchups.length, 0),
                'matchup',
              )}
            </h2>
            <p className="sm">
              {fairness(planned.length, round)} Nothing is kept until you press the button.
            </p>
            <WeekList weeks={planned} />
          </section>
        )}
        {preview.isError && ready && (
          <Failed what="These weeks cannot be made" error={preview.error} />
        )}
        {preview.isError && ready && (
          <p className="sm">
            <Link to={seasonPath(id, season_id)}>Open Season</Link>
          </p>
        )}
        {ready && preview.error instanceof ApiError && preview.error.status === CLASH && (
          <div className="acts">
            <Button onClick={() => setFrom(free)}>Begin on {longDay(free)}</Button>
            {coming > 0 && (
              <Button onClick={() => setClearing(true)}>
                Clear {count(coming, 'coming week')}…
              </Button>
            )}
          </div>
        )}
        {schedule.length > 0 && (
          <Panel title="Made already">
            <WeekList weeks={schedule} />
          </Panel>
        )}
      </div>
      <div className="col">
        <Panel title="Season">
          <form
            className="form mt3"
            onSubmit={(event) => {
              event.preventDefault();
              if (!making.isPending && valid) making.mutate(undefined);
            }}
          >
            <Field
              label="First week begins"
              type="date"
              value={from}
              help={
                schedule.length === 0
                  ? 'Choose any day of the league’s first week.'
                  : 'Any day of that week.'
              }
              onChange={(event) => {
                setFrom(event.target.value);
              }}
            />
            <Field
              label="Weeks"
              type="number"
              min={1}
              max={SEASON_WEEKS_MAX}
              value={weeks}
              error={
                weekCount(weeks) === null ? `A number from 1 to ${SEASON_WEEKS_MAX}.` : undefined
              }
              help={
                teams.length < 2
                  ? undefined
                  : round === 1
                    ? 'With 2 teams, any number of weeks is fair.'
                    : `With ${teams.length} teams, a round is ${count(round, 'week')}: ${round}, ${2 * round} or ${3 * round} are fair to all.`
              }
              onChange={(event) => {
                setWeeks(event.target.value);
              }}
            />
            {valid && (
              <LeaveOut
                from={from}
                weeks={weekCount(weeks) ?? 0}
                leftOut={left}
                error={fieldsOf(making.error).leave_out}
                onChange={setLeaveOut}
              />
            )}
            {making.isError && <Failed what="Not made" error={making.error} />}
            <Button
              look="primary"
              type="submit"
              busy={making.isPending || !valid || teams.length < 2}
            >
              Make these weeks
            </Button>
            {coming > 0 && (
              <Button onClick={() => setClearing(true)}>
                Clear {count(coming, 'coming week')}…
              </Button>
            )}
          </form>
        </Panel>
        {schedule.length > 0 && (
          <Note>
            The weeks under “Made already” keep their matchups. To change weeks that have not begun,
            clear them and plan them again.
          </Note>
        )}
      </div>
      {clearing && (
        <Clear
          league={id}
          season={season}
          onClose={() => setClearing(false)}
          onCleared={() => {
            setClearing(false);
            onMade(null);
          }}
        />
      )}
    </div>
  );
}

function fairness(weeks: number, round: number): string {
  if (round === 1) return 'The two teams meet every week.';
  const rounds = weeks / round;
  if (rounds === 1) return 'Every team plays every other once.';
  if (rounds === 2) return 'Every team plays every other twice, home and away.';
  if (Number.isInteger(rounds)) return `Every team plays every other ${rounds} times.`;
  return 'Some teams meet once more than others.';
}

const WeekList = ({ weeks }: { weeks: readonly ScheduleWeek[] }) => (
  <ol className="weeks">
    {weeks.map(({ week, from, matchups, bye, postponed }) => (
      <li key={from}>
        <h3>
          {weekHead({ week, postponed })}
          <span>from {shortDay(from)}</span>
        </h3>
        {matchups.map((matchup) => {
          const { home, away, home_total, away_total } = matchup;
          return (
            <Fragment key={home}>
              <p>
                <span>{home}</span>
                <i>
                  {home_total === null
                    ? 'v'
                    : `${home_total.toLocaleString('en')} – ${(away_total ?? 0).toLocaleString('en')}`}
                </i>
                <span>{away}</span>
              </p>
              {matchup.ruling && <div>{decidedWords(matchup)}</div>}
            </Fragment>
          );
        })}
        {bye !== null && (
          <p>
            <span>{bye}</span>
            <i>bye</i>
            <span />
          </p>
        )}
      </li>
    ))}
  </ol>
);

function Clear({
  league,
  season: { schedule, coming },
  onClose,
  onCleared,
}: {
  league: string;
  season: Planning;
  onClose: () => void;
  onCleared: () => void;
}) {
  const clearing = useChange(() => clearWeeks(league), { stale: [LEAGUES], onDone: onCleared });
  const stay = schedule.length - coming;
  return (
    <AskDialog
      title={`Clear ${count(coming, 'coming week')}`}
      stops={[`The matchups of ${count(coming, 'week')} that have not begun are gone.`]}
      stays={[
        stay === 0
          ? 'Teams, players and games stay.'
          : `${count(stay, 'week')} that ${stay === 1 ? 'has' : 'have'} begun, teams, players and games stay.`,
      ]}
      verb="Clear"
      failed="Not cleared"
      change={clearing}
      onClose={onClose}
    />
  );
}
