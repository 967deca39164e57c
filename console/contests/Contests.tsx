import { useEffect, useState } from 'react';
import { inFull } from '#contract/rules/games.ts';
import type { ContestListed } from '#contract/wire/contests.ts';
import type { CupListed } from '#contract/wire/cups.ts';
import { repeatContest } from '../api/calls.ts';
import { CONTESTS, useChange } from '../api/queries.ts';
import { Link, navigate, useLocation } from '../router.tsx';
import { useMay } from '../session/me.tsx';
import { useVenue, VenueSelect } from '../session/venue.tsx';
import { useContests, useCups } from '../shell/contests.ts';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { useMinutes } from '../shell/until.ts';
import { useSaid } from '../ui/ask.tsx';
import { Button } from '../ui/Button.tsx';
import { TickIcon } from '../ui/Icon.tsx';
import { Failed, Note } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { IdleIcon, PlayingIcon } from '../ui/State.tsx';
import { count } from '../ui/times.ts';
import { NewNight } from './NewNight.tsx';
import { StopDialog } from './StopDialog.tsx';
import { againWords, dayWords, stateWords, windowWords } from './words.ts';

/** What the page says after `cancelledPath` has led to it. */
const CANCELLED = new Map<string | null, string>([
  ['cup', 'The cup is cancelled. All its games stay.'],
  ['night', 'The night is cancelled. All its games stay.'],
]);

/** Running nights, coming nights, cups, past nights, and a form for a new night (CONTEST-01). */
export function Contests() {
  const { venue } = useVenue();
  const { query } = useLocation();
  const { say, said } = useSaid();
  const cancelled = CANCELLED.get(query.get('cancelled'));
  useEffect(() => {
    if (cancelled === undefined) return;
    say(cancelled);
    navigate('/console/contests', { replace: true });
  }, [cancelled, say]);
  const read = useContests(venue);
  const may = useMay('manager');
  return (
    <Page title="Contests" about="One night, and knockout cups" actions={<VenueSelect />}>
      {said}
      <div className="cols cols--wide">
        <div className="col">
          <Loaded read={read} what="the contests">
            {({ results }) => <Lists contests={results} />}
          </Loaded>
          <Cups venue={venue} />
          {read.data && <Before contests={read.data.results} />}
        </div>
        {may && (
          <div className="col">
            <NewNight />
          </div>
        )}
      </div>
    </Page>
  );
}

function Lists({ contests }: { contests: ContestListed[] }) {
  const running = contests.filter(({ state }) => state === 'running' || state === 'settling');
  const planned = contests.filter(({ state }) => state === 'planned');
  return (
    <>
      {contests.length === 0 && <Note>No contest yet. A night needs a name and a start.</Note>}
      {running.map((contest) => (
        <Running key={contest.id} contest={contest} />
      ))}
      {planned.length > 0 && <Planned contests={planned} />}
    </>
  );
}

/** A contest's name. For managers it links to the contest's page. */
function Name({ contest }: { contest: ContestListed }) {
  const may = useMay('manager');
  if (!may) return contest.name;
  return <Link to={`/console/contests/${contest.id}`}>{contest.name}</Link>;
}

function Open({ contest }: { contest: ContestListed }) {
  const may = useMay('manager');
  const to = `/console/contests/${contest.id}`;
  return (
    <>
      {may && (
        <Link className="btn" to={to}>
          Open<span className="sr"> {contest.name}</span>
        </Link>
      )}
      {!may && (
        <Link className="btn" to={`${to}/poster`}>
          Poster<span className="sr"> of {contest.name}</span>
        </Link>
      )}
    </>
  );
}

function Running({ contest }: { contest: ContestListed }) {
  const now = useMinutes();
  const may = useMay('manager');
  const [asking, ask] = useState(false);
  return (
    <section className="score run" aria-label={contest.name}>
      <div className="run__h">
        <h2>
          <Name contest={contest} />
        </h2>
        <span className="live">
          <i />
          {stateWords(contest, now)}
        </span>
      </div>
      <dl>
        <div>
          <dt>{contest.players === 1 ? 'player' : 'players'}</dt>
          <dd>{contest.players}</dd>
        </div>
        <div>
          <dt>{contest.games === 1 ? 'game' : 'games'}</dt>
          <dd>{inFull(contest.games)}</dd>
        </div>
        <div>
          <dt>leads with</dt>
          <dd>{contest.best === null ? '–' : inFull(contest.best)}</dd>
        </div>
      </dl>
      <div className="acts mt4">
        <Open contest={contest} />
        {may && contest.state === 'running' && (
          <Button onClick={() => ask(true)}>
            Stop now<span className="sr">: {contest.name}</span>
          </Button>
        )}
      </div>
      {asking && (
        <StopDialog contest={contest} onClose={() => ask(false)} onDone={() => ask(false)} />
      )}
    </section>
  );
}

function Planned({ contests }: { contests: ContestListed[] }) {
  return (
    <Panel title="Nights to come" flush>
      <ul className="rows mt2">
        {contests.map((contest) => (
          <li key={contest.id}>
            <span>
              <b>
                <Name contest={contest} />
              </b>
              <small>
                {windowWords(contest)}, {contest.venue}
              </small>
            </span>
            <Open contest={contest} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function beforeWords({ starts_at, timezone, players, winners }: ContestListed): string {
  const day = dayWords(starts_at, timezone);
  const [first] = winners;
  if (first === undefined) return `${day}, nobody played`;
  const name = first.username ?? 'Former player';
  return `${day}, ${players} played, ${name} won with ${inFull(first.points)}`;
}

function Before({ contests }: { contests: ContestListed[] }) {
  const may = useMay('manager');
  const { say, said } = useSaid();
  const repeating = useChange(repeatContest, {
    stale: [CONTESTS],
    onDone: (made) => say(`${made.name} is on again: ${windowWords(made)}.`),
  });
  const before = contests
    .filter(({ state }) => state === 'final')
    .sort((a, b) => Date.parse(b.ends_at) - Date.parse(a.ends_at));
  if (before.length === 0) return null;
  return (
    <Panel title="Nights before" flush>
      {said}
      {repeating.isError && <Failed what="Not made" error={repeating.error} />}
      <ul className="rows mt2">
        {before.map((contest) => (
          <li key={contest.id}>
            <span>
              <b>
                <Name contest={contest} />
              </b>
              <small>{beforeWords(contest)}</small>
              {contest.winners.slice(1).map((row) => (
                <small key={row.place}>
                  {row.place}. {row.username ?? 'Former player'}, {inFull(row.points)}
                </small>
              ))}
            </span>
            {may && (
              <Button busy={repeating.isPending} onClick={() => repeating.mutate(contest.id)}>
                {againWords(contest)}
                <span className="sr">: {contest.name}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `8 teams of Dockside League`, or `8 players` */
function sidesWords({ kind, sides, league }: CupListed): string {
  if (kind === 'players') return count(sides, 'player');
  return `${count(sides, 'team')} of ${league ?? 'a league'}`;
}

const CUP_STATES = {
  planned: ['To come', IdleIcon],
  running: ['Running', PlayingIcon],
  final: ['Final', TickIcon],
} as const;

function CupState({ state }: Pick<CupListed, 'state'>) {
  const [words, Icon] = CUP_STATES[state];
  return (
    <span className={state === 'running' ? 'st' : 'st st--off'}>
      <Icon />
      {words}
    </span>
  );
}

/** Cups, open ones first (CUP-33). */
function Cups({ venue }: { venue: string | null }) {
  const may = useMay('manager');
  const cups = useCups(venue).data;
  return (
    <Panel
      title="Cups"
      flush
      action={
        may && (
          <Link className="btn" to="/console/contests/cups/new">
            New cup
          </Link>
        )
      }
    >
      <ul className="rows rows--fold mt2">
        {(cups?.results ?? []).map((cup) => (
          <li key={cup.id}>
            <span>
              <b>
                {may ? <Link to={`/console/contests/cups/${cup.id}`}>{cup.name}</Link> : cup.name}
              </b>
              <small>
                {`${sidesWords(cup)}, ${dayWords(cup.starts_at, cup.timezone)}, ${cup.venue ?? 'All venues'}`}
              </small>
              {cup.winner !== null && <small>{`Won by ${cup.winner}`}</small>}
            </span>
            <span className="acts">
              <CupState state={cup.state} />
              {may && (
                <Link className="btn" to={`/console/contests/cups/${cup.id}`}>
                  Open<span className="sr"> {cup.name}</span>
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
