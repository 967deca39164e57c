import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { InboxAnswer } from '#contract/wire/inbox.ts';
import { readInbox } from '../api/calls.ts';
import { INBOX_CASES, useRead } from '../api/queries.ts';
import { Link, useLocation } from '../router.tsx';
import { Loaded } from '../shell/Loaded.tsx';
import { Page } from '../shell/Page.tsx';
import { seasonPath } from '../shell/paths.ts';
import { Note } from '../ui/Notice.tsx';
import { Segments } from '../ui/Segments.tsx';
import { count } from '../ui/times.ts';
import { Case } from './Case.tsx';
import { Request } from './Request.tsx';
import { keyOf, nextShown, type Open, openOf, requestKey } from './words.ts';

/** Loaded after the cases, for which staff open the page (STAFF-08). */
const Decisions = lazy(async () => ({ default: (await import('./Decisions.tsx')).Decisions }));

/**
 * The keys of the cases decided in this tab. A module variable, because the page may be left and
 * opened again, and then first shows the cases as they were read before the decision.
 */
const OWN = new Set<string>();

/** How long the cards ignore clicks after a card has disappeared. */
const MOVED_MS = 700;

type Kind = Open['kind'];
type Filter = Kind | 'all';
/**
 * A link may choose the filter, and name the season to go back to:
 * `?show=reports&league=3&season=7`.
 */
const SHOWN: Record<string, Filter> = { held: 'held', reports: 'report', requests: 'request' };

/** Shown if there are no cards of a kind. */
const NONE: Record<Kind, string> = {
  held: 'No held games to decide.',
  report: 'No reports to decide.',
  request: 'No requests to join.',
};

/**
 * Held games, reports and requests to join, oldest first. A decision can be undone for ten seconds
 * (OPS-17).
 */
export function Inbox() {
  const read = useRead(INBOX_CASES, readInbox, ['held', 'reports', 'weeks']);
  const { query } = useLocation();
  /** The keys of the requests whose answers were undone in the list below the cards. */
  const [reopened, setReopened] = useState<readonly string[]>([]);
  const [filter, setFilter] = useState<Filter>(() => SHOWN[query.get('show') ?? ''] ?? 'all');
  const { data } = read;
  const [league, season] = [query.get('league'), query.get('season')];
  return (
    <Page
      title="Inbox"
      about={
        data &&
        `${count(data.held, 'held game')}, ${count(data.reports, 'report')}, ${count(data.requests, 'request')}. You can undo a decision about a game for 10 seconds.`
      }
      {...(league && season && { back: { to: seasonPath(league, season), name: 'Season' } })}
      actions={data && <Filters of={data} chosen={filter} onChoose={setFilter} />}
    >
      <Loaded read={read} what="the inbox">
        {(answer) => (
          <>
            <Cases
              of={answer}
              filter={filter}
              reopened={reopened}
              onStale={() => void read.refetch()}
            />
            <div className="col mt5">
              {answer.requests === 0 && (
                <p className="sm">
                  No requests to join. They appear here if joining of the league is “Waits for a
                  manager”: see <Link to="/console/leagues">Leagues</Link>.
                </p>
              )}
              <Suspense>
                <Decisions
                  onReopened={(account, team) => {
                    // With its key in `OWN`, the reopened request would lose its card.
                    OWN.delete(requestKey(account, team));
                    setReopened([...reopened, requestKey(account, team)]);
                  }}
                />
              </Suspense>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Filters({
  of,
  chosen,
  onChoose,
}: {
  of: InboxAnswer;
  chosen: Filter;
  onChoose: (filter: Filter) => void;
}) {
  const choices: [Filter, string, number][] = [
    ['all', 'All', of.held + of.reports + of.requests],
    ['held', 'Held', of.held],
    ['report', 'Reports', of.reports],
    ['request', 'Requests', of.requests],
  ];
  return (
    <Segments
      legend="Show"
      names={choices.map(([, name, number]) => `${name} ${number.toLocaleString('en')}`)}
      chosen={choices.findIndex(([filter]) => filter === chosen)}
      onChoose={(at) => onChoose(choices[at]?.[0] ?? 'all')}
    />
  );
}

/**
 * True for `MOVED_MS` after `number` has fallen, because the next card then moves under a pointer
 * that may be about to press.
 */
function useJustLess(number: number): boolean {
  const [just, setJust] = useState(false);
  const before = useRef(number);
  useLayoutEffect(() => {
    const less = number < before.current;
    before.current = number;
    setJust(less);
    if (!less) return;
    const timer = setTimeout(() => setJust(false), MOVED_MS);
    return () => clearTimeout(timer);
  }, [number]);
  return just;
}

function Cases({
  of,
  filter,
  reopened,
  onStale,
}: {
  of: InboxAnswer;
  filter: Filter;
  reopened: readonly string[];
  onStale: () => void;
}) {
  const [shown, setShown] = useState(() => ({
    from: of,
    reopened,
    cases: nextShown([], openOf(of), OWN, new Set()),
  }));
  const [undoable] = useState(() => new Set<string>());
  const { cases } = shown;
  if (shown.from !== of || shown.reopened !== reopened) {
    // A reopened request gets a new card.
    const again = shown.reopened === reopened ? undefined : reopened.at(-1);
    const others = cases.filter((one) => keyOf(one.of) !== again);
    if (again !== undefined) undoable.delete(again);
    setShown({ from: of, reopened, cases: nextShown(others, openOf(of), OWN, undoable) });
  }
  // Forget closed cases: restoring a game opens its report again, and somebody else may settle it.
  useEffect(() => {
    const open = new Set(openOf(of).map(keyOf));
    for (const key of OWN) if (!open.has(key) && !undoable.has(key)) OWN.delete(key);
  }, [of, undoable]);
  const moved = useJustLess(cases.length);
  const hide = (key: string) => {
    undoable.delete(key);
    if (!openOf(of).some((one) => keyOf(one) === key)) OWN.delete(key);
    setShown((now) => ({ ...now, cases: now.cases.filter((one) => keyOf(one.of) !== key) }));
  };
  const decide = (key: string, decided: boolean) => {
    for (const keys of [OWN, undoable]) decided ? keys.add(key) : keys.delete(key);
  };
  const some = cases.some((one) => filter === 'all' || one.of.kind === filter);
  const sections: { kind: Kind; title: string; total: number }[] = [
    { kind: 'held', title: 'Held games', total: of.held },
    { kind: 'report', title: 'Reports from players', total: of.reports },
    { kind: 'request', title: 'Requests to join', total: of.requests },
  ];
  return (
    <>
      {!some && (
        <Note>
          {filter === 'all' || openOf(of).length === 0
            ? 'Nothing to decide.'
            : `${NONE[filter]} “All” shows the rest.`}{' '}
          Games are held when a score or a number of games is unusual; players report a game from
          their list.
        </Note>
      )}
      {sections
        .filter(({ kind }) => filter === 'all' || filter === kind)
        .map(({ kind, title, total }) => {
          const those = cases.filter((one) => one.of.kind === kind);
          if (those.length === 0) return null;
          const oldest = openOf(of).filter((one) => one.kind === kind).length;
          return (
            <section
              key={kind}
              className={moved ? 'cases cases--moved' : 'cases'}
              aria-labelledby={kind}
            >
              <h2 className="cases__h" id={kind}>
                {title}
                {total > oldest && (
                  <small>
                    {' '}
                    the oldest {oldest} of {total.toLocaleString('en')}
                  </small>
                )}
              </h2>
              <ul className="col">
                {those.map(({ of, gone }) => {
                  const key = keyOf(of);
                  const times = reopened.filter((one) => one === key).length;
                  const card = {
                    gone,
                    onDecide: (decided: boolean) => decide(key, decided),
                    onStale,
                    onHide: () => hide(key),
                  };
                  return of.kind === 'request' ? (
                    <Request key={`${key} ${times}`} of={of} {...card} />
                  ) : (
                    <Case key={key} of={of} {...card} />
                  );
                })}
              </ul>
            </section>
          );
        })}
    </>
  );
}
