import { type ReactNode, useEffect, useRef } from 'react';
import { TAKEN_OUT } from '#contract/rules/games.ts';
import type { ReportState } from '#contract/wire/games.ts';
import type { PlayerPage } from '#contract/wire/players.ts';
import { correctGame, type GameCorrection, undoCorrection } from '../api/calls.ts';
import { INBOX, LEAGUES, playerKey, TEAMS, TONIGHT } from '../api/queries.ts';
import { Link } from '../router.tsx';
import { FinalSeason } from '../shell/FinalSeason.tsx';
import { Undo, useDecision } from '../shell/Undo.tsx';
import { Button } from '../ui/Button.tsx';
import { COUNTING } from '../ui/counting.ts';
import { Failed } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { ACTIONS, Table } from '../ui/Table.tsx';
import { logTime } from '../ui/times.ts';
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
};

/** The game that a link names, at the top, because scrolling down to it would hide the player. */
export function MarkedGame({ of, marked }: Props) {
  const game = of.games.find(({ game }) => game === marked);
  if (marked === null) return null;
  return (
    <Panel title="The game you opened" flush>
      {game === undefined ? (
        <p className="sm mt2 mb3">It is not among the newest {of.games.length} games.</p>
      ) : (
        <Rows caption={`The game of ${called(of)}`}>
          <GameRow game={game} of={of} marked />
        </Rows>
      )}
    </Panel>
  );
}

/** A player's newest games except `marked`. */
export function Games({ of, marked, onMore }: Props & { onMore: () => void }) {
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
            {games_total === GAMES_COUNTED && ' or more'}, held and void ones too
          </span>
        )
      }
    >
      <p className="sm">{others.length === 0 ? 'None.' : COUNTING}</p>
      {games.some(({ state }) => state === 'counted' || state === 'void') && (
        <p className="sm mt2">
          Void takes a game out of every figure: the total of its week, the high score, the average
          and achievements. {called(of)} then reads “{TAKEN_OUT}” beside it. Restore counts it
          again.
        </p>
      )}
      {others.length > 0 && (
        <Rows caption={`Games of ${of.username ?? 'this player'}, newest first`}>
          {others.map((game) => (
            <GameRow key={game.game} game={game} of={of} />
          ))}
        </Rows>
      )}
      {more && games.length < GAMES_MOST && (
        <div className="mt3 mb3">
          <Button onClick={onMore}>Show older</Button>
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

const Small = ({ children }: { children: ReactNode }) => <small className="xs">{children}</small>;

/** `button`: what it is called; `done`, `failed`: what is said after it. */
const CHANGES: Record<GameCorrection, { button: string; done: string; failed: string }> = {
  void: { button: 'Void', done: 'Voided', failed: 'Not voided' },
  restore: { button: 'Restore', done: 'Restored', failed: 'Not restored' },
  return: { button: 'Hold again', done: 'Held again', failed: 'Not held again' },
};
/** The correction that a game's state allows. */
const CORRECTIONS: Partial<Record<Game['state'], GameCorrection>> = {
  counted: 'void',
  void: 'restore',
  discarded: 'return',
};

/** `report` and `means` are as they were before the change. */
type Correction = { change: GameCorrection; report: ReportState | undefined; means: string };

function GameRow({ game, of, marked = false }: { game: Game; of: PlayerPage; marked?: boolean }) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (!marked) return;
    // Wait until the page has focused its heading.
    const frame = requestAnimationFrame(() => row.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, [marked]);
  const change = CORRECTIONS[game.state];
  const decision = useDecision<Correction>({
    send: (one) => correctGame(game, one.change),
    reverse: (one) => undoCorrection(game, one.change, one.report),
    stale: [playerKey(of.id), INBOX, TONIGHT, LEAGUES, TEAMS],
  });
  const { made, sending } = decision;
  const played = logTime(game.played_at);
  const score = game.score.toLocaleString('en');
  if (made)
    return (
      <tr ref={row}>
        <td colSpan={5} className="undo" data-l="">
          <Undo
            of={decision}
            done={`${CHANGES[made.change].done}.`}
            what={`${score} on ${game.machine}.`}
            means={made.means}
            more={made.change !== 'return' && <FinalSeason week={game.week} />}
            focusNext={() => row.current?.querySelector<HTMLElement>('.acts > *')?.focus()}
          />
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
        {game.state === 'void' && game.week?.final && (
          <Small>
            <FinalSeason week={game.week} />
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
        {sending.isError && (
          <Failed
            what={CHANGES[sending.variables.change].failed}
            error={sending.error}
            onAgain={() => decision.decide(sending.variables)}
          />
        )}
        <div className="acts">
          {game.state === 'held' ? (
            <Link className="txt" to="/console/inbox?show=held">
              Decide<span className="sr"> the game of {played}</span>
            </Link>
          ) : (
            change && (
              <Button
                look="txt"
                busy={decision.busy}
                onClick={() =>
                  decision.decide({
                    change,
                    report: game.report?.state,
                    means: correctionMeans(game, of),
                  })
                }
              >
                {CHANGES[change].button}
                <span className="sr">
                  {' '}
                  the game of {played}, {score}
                </span>
              </Button>
            )
          )}
        </div>
      </td>
    </tr>
  );
}
