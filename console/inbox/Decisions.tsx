import { DECISIONS_HOURS } from '#contract/rules/inbox.ts';
import { readDecisions } from '../api/calls.ts';
import { INBOX_DECISIONS, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Panel } from '../ui/Panel.tsx';
import { timeInLine } from '../ui/times.ts';
import { nameOf, VERBS_DONE, WAY_BACK } from './words.ts';

/** What staff decided about games within a day, newest first (GAME-13). */
export function Decisions() {
  const { data } = useRead(INBOX_DECISIONS, readDecisions, ['held', 'reports', 'weeks']);
  if (data === undefined || data.results.length === 0) return null;
  // Only a game's last decision can be changed.
  const last = new Map(data.results.toReversed().map(({ game, id }) => [game, id]));
  return (
    <Panel title={`Decided in the last ${DECISIONS_HOURS} hours`} flush>
      <ul className="rows mt2">
        {data.results.map(({ id, decision, by, at, score, machine, player, game }) => (
          <li key={id}>
            <span>
              <b>
                {VERBS_DONE[decision]}: {score.toLocaleString('en')} of{' '}
                {player === null ? (
                  nameOf({ player })
                ) : (
                  <Link to={`/console/players/${player.id}`}>{nameOf({ player })}</Link>
                )}
              </b>
              <small>
                {machine}. {by}, {timeInLine(at)}.
                {last.get(game) === id &&
                  ` ${player === null ? 'The account is gone.' : WAY_BACK[decision]}`}
              </small>
            </span>
            {player !== null && (
              <Link
                className="btn"
                to={`/console/players/${player.id}?${new URLSearchParams({ game })}`}
              >
                Look<span className="sr"> at the game with {score.toLocaleString('en')}</span>
              </Link>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
