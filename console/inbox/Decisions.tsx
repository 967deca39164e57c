import { DECISIONS_HOURS } from '#contract/console.ts';
import { readDecisions } from '../api/calls.ts';
import { INBOX_DECISIONS, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Panel } from '../ui/Panel.tsx';
import { timeInLine } from '../ui/times.ts';
import { nameOf, VERBS_DONE } from './words.ts';

/** What staff decided about games within the last day, newest first (GAME-13). */
export function Decisions() {
  const { data } = useRead(INBOX_DECISIONS, readDecisions, ['held', 'reports', 'weeks']);
  if (data === undefined || data.results.length === 0) return null;
  return (
    <Panel title={`Decided in the last ${DECISIONS_HOURS} hours`} flush>
      <ul className="rows mt2">
        {data.results.map(({ id, decision, by, at, score, machine, player }) => (
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
                {machine}. {by}, {timeInLine(at)}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
