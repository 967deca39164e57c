import { DECISIONS_HOURS } from '#contract/rules/inbox.ts';
import type { Decisions as Read } from '#contract/wire/inbox.ts';
import { readDecisions } from '../api/calls.ts';
import { INBOX_DECISIONS, useRead } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { Panel } from '../ui/Panel.tsx';
import { timeInLine } from '../ui/times.ts';
import { LeagueRow, type OnReopened } from './LeagueRow.tsx';
import { nameOf, VERBS_DONE, WAY_BACK } from './words.ts';

/** What staff decided about games and leagues within a day, newest first (GAME-13, HAND-C11). */
export function Decisions({ onReopened }: { onReopened: OnReopened }) {
  const { data } = useRead(INBOX_DECISIONS, readDecisions, ['held', 'reports', 'weeks']);
  if (data === undefined || data.results.length + data.leagues.length === 0) return null;
  // Only a game's last decision can be changed.
  const last = new Map(data.results.toReversed().map(({ game, id }) => [game, id]));
  const rows = [
    ...data.results.map((of) => ({
      at: of.at,
      row: <GameRow key={`game ${of.id}`} of={of} last={last.get(of.game) === of.id} />,
    })),
    ...data.leagues.map((of) => ({
      at: of.at,
      row: <LeagueRow key={`league ${of.id}`} of={of} onReopened={onReopened} />,
    })),
  ];
  return (
    <Panel title={`Decided in the last ${DECISIONS_HOURS} hours`} flush>
      <ul className="rows mt2">
        {rows.toSorted((one, other) => other.at.localeCompare(one.at)).map(({ row }) => row)}
      </ul>
    </Panel>
  );
}

/** `last`: whether this is the last decision about the game. */
function GameRow({ of, last }: { of: Read['results'][number]; last: boolean }) {
  const { decision, by, at, score, machine, player, game } = of;
  return (
    <li>
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
          {last && ` ${player === null ? 'The account is gone.' : WAY_BACK[decision]}`}
        </small>
      </span>
      {player !== null && (
        <Link className="btn" to={`/console/players/${player.id}?${new URLSearchParams({ game })}`}>
          Look<span className="sr"> at the game with {score.toLocaleString('en')}</span>
        </Link>
      )}
    </li>
  );
}
