import { useEffect, useRef, useState } from 'react';
import { TAKEN_OUT } from '#contract/fate-words.ts';
import type { PlayerPage } from '#contract/player-pages.ts';
import { correctGame } from '../api/calls.ts';
import { INBOX, LEAGUES, playerKey, TEAMS, TONIGHT, useChange } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { COUNTING } from '../ui/counting.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ACTIONS, Table } from '../ui/Table.tsx';
import { logTime } from '../ui/times.ts';
import { Undo } from '../ui/Undo.tsx';
import { GAMES_COUNTED, GAMES_MOST } from './keys.ts';
import { called, countsFor, decidedBy, voidMeans } from './words.ts';

type Game = PlayerPage['games'][number];

const nameOf = ({ machine_id, id }: Pick<Game, 'machine_id' | 'id'>) => `${machine_id} ${id}`;

/**
 * The newest games of a player, each with what it counts for and what staff can do about it.
 * `marked` is the game that a link has named, as its machine and its id.
 */
export function Games({
  of,
  marked,
  onMore,
  onWaiting,
}: {
  of: PlayerPage;
  marked: string | null;
  onMore: () => void;
  /** Called with 1 when a change begins to wait, and with -1 when it is made or undone. */
  onWaiting: (more: number) => void;
}) {
  const { games, games_total } = of;
  const more = games.length < games_total;
  const missing = marked !== null && !games.some((game) => nameOf(game) === marked);
  return (
    <Panel
      title="Games"
      flush
      action={
        more && (
          <span className="sm">
            The newest {games.length} of {games_total.toLocaleString('en')}
            {games_total === GAMES_COUNTED && ' or more'}
          </span>
        )
      }
    >
      <p className="sm">{games.length === 0 ? 'No games yet.' : COUNTING}</p>
      {games.some(({ state }) => state === 'counted' || state === 'void') && (
        <p className="sm mt2">
          Void takes a game out of every figure: the total of its week, the high score, the average
          and achievements. {called(of)} then reads “{TAKEN_OUT}” at it. Restore counts it again.
        </p>
      )}
      {missing && (
        <p className="sm mt2">The game that you look for is not among the newest {games.length}.</p>
      )}
      {games.length > 0 && (
        <Table
          kind="mine"
          caption={`Games of ${of.username ?? 'this player'}, newest first`}
          columns={['Played', 'Machine', 'Counts', ['Score', 'sc'], ACTIONS]}
        >
          {games.map((game) => (
            <GameRow
              key={nameOf(game)}
              game={game}
              of={of}
              marked={nameOf(game) === marked}
              onWaiting={onWaiting}
            />
          ))}
        </Table>
      )}
      {more && games.length < GAMES_MOST && (
        <div className="mt3" style={{ marginBottom: 12 }}>
          <button className="btn" type="button" onClick={onMore}>
            Show older
          </button>
        </div>
      )}
    </Panel>
  );
}

function GameRow({
  game,
  of,
  marked,
  onWaiting,
}: {
  game: Game;
  of: PlayerPage;
  marked: boolean;
  onWaiting: (more: number) => void;
}) {
  const [chosen, setChosen] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (!marked) return;
    // Wait until the page has focused its heading.
    const frame = requestAnimationFrame(() => {
      row.current?.scrollIntoView({ block: 'center' });
      row.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [marked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function is no new wait
  useEffect(() => {
    if (!chosen) return;
    onWaiting(1);
    return () => onWaiting(-1);
  }, [chosen]);
  const leaving = useRef(false);
  const change = game.state === 'counted' ? 'void' : game.state === 'void' ? 'restore' : null;
  const correcting = useChange(
    (keepalive: boolean) =>
      correctGame({ game: game.id, machine_id: game.machine_id }, change ?? 'void', keepalive),
    { stale: [playerKey(of.id), INBOX, TONIGHT, LEAGUES, TEAMS] },
  );
  // When Undo goes away, the button of this row takes the focus.
  useEffect(() => {
    if (chosen || !leaving.current) return;
    leaving.current = false;
    row.current?.querySelector<HTMLElement>('button, a')?.focus();
  }, [chosen]);
  const send = (keepalive: boolean) => {
    leaving.current = !keepalive && (row.current?.contains(document.activeElement) ?? false);
    correcting.mutate(keepalive, { onSettled: () => setChosen(false) });
  };
  const played = logTime(game.played_at);
  const score = game.score.toLocaleString('en');
  if (chosen)
    return (
      <tr ref={row}>
        <td colSpan={5} className="undo" data-l="">
          <Undo onUndo={() => setChosen(false)} onSend={send}>
            <b>{change === 'void' ? 'Voided' : 'Restored'}.</b> {score} on {game.machine}.{' '}
            {change === 'void' ? voidMeans(game, of.highscore) : 'Back in every figure.'}
          </Undo>
        </td>
      </tr>
    );
  const decided = decidedBy(game.decided);
  return (
    <tr ref={row} {...(marked ? { tabIndex: -1, className: 'this' } : {})}>
      <th scope="row">
        <time className="nw" dateTime={game.played_at}>
          {played}
        </time>
      </th>
      <td data-l="Machine">{game.machine}</td>
      <td data-l="Counts">
        {game.state === 'held' ? (
          <>
            <Link to="/console/inbox?show=held">Held</Link>
            {game.team !== null && (
              <small className="xs" style={{ display: 'block' }}>
                May change the week’s result of {game.team}
              </small>
            )}
          </>
        ) : (
          countsFor(game, of.team?.name ?? null)
        )}
        {game.state === 'counted' && game.score === of.highscore && (
          <small className="xs" style={{ display: 'block' }}>
            High score
          </small>
        )}
        {decided && game.state !== 'held' && (
          <small className="xs" style={{ display: 'block' }}>
            {decided}
          </small>
        )}
      </td>
      <td className="sc" data-l="Score">
        <span className={game.state === 'void' || game.state === 'discarded' ? 'void' : undefined}>
          {score}
        </span>
      </td>
      <td className="full" data-l="">
        {correcting.isError && (
          <Failed
            what={change === 'void' ? 'Not voided' : 'Not restored'}
            error={correcting.error}
            onAgain={() => correcting.mutate(false)}
          />
        )}
        <div className="acts">
          {game.state === 'held' ? (
            <Link className="txt" to="/console/inbox?show=held">
              Judge<span className="sr"> the game of {played}</span>
            </Link>
          ) : (
            change && (
              <button
                className="txt"
                type="button"
                aria-disabled={correcting.isPending || undefined}
                onClick={() => correcting.isPending || setChosen(true)}
              >
                {change === 'void' ? 'Void' : 'Restore'}
                <span className="sr">
                  {' '}
                  the game of {played}, {score}
                </span>
              </button>
            )
          )}
        </div>
      </td>
    </tr>
  );
}
