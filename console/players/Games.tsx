import { type ReactNode, useEffect, useRef, useState } from 'react';
import { TAKEN_OUT } from '#contract/rules/games.ts';
import type { PlayerPage } from '#contract/wire/players.ts';
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
import {
  called,
  correctionMeans,
  countsFor,
  decidedBy,
  isOwnOnly,
  takenOutWords,
} from './words.ts';

type Game = PlayerPage['games'][number];

type Props = {
  of: PlayerPage;
  /** The number of the game that a link named, or null. */
  marked: string | null;
  /** Called with 1 when the wait for Undo begins, with -1 when the change is made or undone. */
  onWaiting: (more: number) => void;
};

/** The game that a link names, at the top, because scrolling down to it would hide the player. */
export function MarkedGame({ of, marked, onWaiting }: Props) {
  const game = of.games.find(({ game }) => game === marked);
  if (marked === null) return null;
  return (
    <Panel title="The game you opened" flush>
      {game === undefined ? (
        <p className="sm mt2" style={{ marginBottom: 12 }}>
          It is not among the newest {of.games.length} games.
        </p>
      ) : (
        <Rows caption={`The game of ${called(of)}`}>
          <GameRow game={game} of={of} marked onWaiting={onWaiting} />
        </Rows>
      )}
    </Panel>
  );
}

/** A player's newest games except `marked`. */
export function Games({ of, marked, onMore, onWaiting }: Props & { onMore: () => void }) {
  const { games, games_total } = of;
  const more = games.length < games_total;
  const others = games.filter(({ game }) => game !== marked);
  return (
    <Panel
      title={marked === null ? 'Games' : 'Other games'}
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
      <p className="sm">{others.length === 0 ? 'None.' : COUNTING}</p>
      {games.some(({ state }) => state === 'counted' || state === 'void') && (
        <p className="sm mt2">
          Void takes a game out of every figure: the total of its week, the high score, the average
          and achievements. {called(of)} then reads “{TAKEN_OUT}” at it. Restore counts it again.
        </p>
      )}
      {others.length > 0 && (
        <Rows caption={`Games of ${of.username ?? 'this player'}, newest first`}>
          {others.map((game) => (
            <GameRow key={game.game} game={game} of={of} onWaiting={onWaiting} />
          ))}
        </Rows>
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

const Rows = ({ caption, children }: { caption: string; children: ReactNode }) => (
  <Table
    kind="mine"
    caption={caption}
    columns={['Played', 'Machine', 'Counts', ['Score', 'sc'], ACTIONS]}
  >
    {children}
  </Table>
);

const Small = ({ children }: { children: ReactNode }) => (
  <small className="xs" style={{ display: 'block' }}>
    {children}
  </small>
);

function GameRow({
  game,
  of,
  marked = false,
  onWaiting,
}: {
  game: Game;
  of: PlayerPage;
  marked?: boolean;
  onWaiting: (more: number) => void;
}) {
  const [chosen, setChosen] = useState(false);
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (!marked) return;
    // Wait until the page has focused its heading.
    const frame = requestAnimationFrame(() => row.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [marked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new onWaiting must not count the wait twice
  useEffect(() => {
    if (!chosen) return;
    onWaiting(1);
    return () => onWaiting(-1);
  }, [chosen]);
  const leaving = useRef(false);
  const change = game.state === 'counted' ? 'void' : game.state === 'void' ? 'restore' : null;
  const correcting = useChange(
    (keepalive: boolean) => correctGame(game, change ?? 'void', keepalive),
    { stale: [playerKey(of.id), INBOX, TONIGHT, LEAGUES, TEAMS] },
  );
  // Undo had the focus and is gone: focus the first button or link of the row.
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
          <Undo then={correctionMeans(game, of)} onUndo={() => setChosen(false)} onSend={send}>
            <b>{change === 'void' ? 'Voided' : 'Restored'}.</b> {score} on {game.machine}.
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
        <Small>#{game.game}</Small>
      </th>
      <td data-l="Machine">{game.machine}</td>
      <td data-l="Counts">
        {game.state === 'held' ? (
          <>
            <Link to="/console/inbox?show=held">Held</Link>
            {game.team !== null && <Small>May change the week’s result of {game.team}</Small>}
          </>
        ) : (
          countsFor(game, of.team?.name ?? null)
        )}
        {isOwnOnly(game) && <Small>Only in the player’s own figures</Small>}
        {game.state === 'counted' && game.score === of.highscore && <Small>High score</Small>}
        {decided && game.state !== 'held' && <Small>{decided}</Small>}
        {game.state === 'void' && (
          <Small>
            Counts nowhere. {called(of)} reads “{takenOutWords(game.report)}”
          </Small>
        )}
        {game.report?.state === 'open' && (
          <Small>
            {game.state === 'void' ? 'The report is still open.' : 'Reported.'}{' '}
            <Link to="/console/inbox?show=reports">Answer the report</Link>
          </Small>
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
              Decide<span className="sr"> the game of {played}</span>
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
