import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { User } from '#contract/wire/profile.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { Link } from '../router.tsx';
import { PlayerName } from '../shell/PlayerName.tsx';
import {
  BEST_WORDS,
  type BoardRow,
  boardName,
  listsOf,
  moveOf,
  placeWords,
  type Scope,
} from './board.ts';
import styles from './Leaderboard.module.css';
import type { Board } from './queries.ts';

const TOP_PLACES = 3;

/** The boards on which others may see “A player” in place of a name. */
const HIDES: Record<Scope, boolean> = { all: true, league: false, venue: true, friends: false };

/** How many places a row has moved since 06:00 UTC, up and down in one colour (HAND-96). */
function Move({ by }: { by: number | 'new' }) {
  if (by === 'new') return <span className={styles.move}>new</span>;
  return (
    <span className={styles.move}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d={by > 0 ? 'M6 1.5 11 10H1Z' : 'M6 10.5 1 2H11Z'} />
      </svg>
      <span className="sr">{by > 0 ? `up ${by}` : `down ${-by}`}</span>
      <span aria-hidden="true">{Math.abs(by)}</span>
    </span>
  );
}

type RowProps = {
  row: BoardRow;
  board: Board;
  /** The viewer's own score on this board. */
  mine: number | null;
  /** Whether others see “A player” in place of the player's name. */
  unnamed: boolean;
};

function PlayerRow({ row, board, mine, unnamed }: RowProps) {
  const { username, avatar_color: color, jersey_number: number } = row;
  const name = username?.toUpperCase() ?? A_PLAYER;
  const move = moveOf(row, board.moves);
  const look = [
    row.me && styles.me,
    username === null && styles.nobody,
    row.place === 1 ? styles.first : row.place <= TOP_PLACES && styles.top,
  ];
  return (
    <li className={look.filter(Boolean).join(' ')} aria-current={row.me ? 'true' : undefined}>
      <span className={styles.place}>
        <span className="sr">Place </span>
        {row.place}
        {row.shared && <span className="sr">, shared</span>}
      </span>
      <span className={styles.jersey} aria-hidden="true">
        {username && color && number ? (
          <Jersey username={username} color={color} number={number} small />
        ) : (
          <GreyJersey />
        )}
      </span>
      <span className={styles.name} title={name}>
        <PlayerName
          username={username}
          me={row.me}
          person={{
            place: placeWords(board, row.place),
            look: { color, number },
            best: { words: BEST_WORDS[board.choice.period], mine, theirs: row.score },
          }}
        />
        {(row.me || move !== null) && (
          <small>
            {row.me && <span>{unnamed ? `You. Others here see “${A_PLAYER}”` : 'You'}</span>}
            {move !== null && <Move by={move} />}
          </small>
        )}
      </span>
      <span className={styles.score}>
        <span className="sr">Score </span>
        {row.score}
      </span>
    </li>
  );
}

/** The best players, and the player's own row even if further down (LOOK-57). */
export function BoardList({ board, user }: { board: Board; user: User | null }) {
  const { best, near, gap } = listsOf(board, user?.username);
  const shared = {
    board,
    mine: [...best, ...near].find(({ me }) => me)?.score ?? null,
    unnamed: HIDES[board.choice.scope] && user?.visibility === 'league',
  };
  return (
    <section className={styles.board} aria-label={boardName(board.choice)}>
      <ol>
        {best.map((row) => (
          <PlayerRow key={row.at} row={row} {...shared} />
        ))}
        {gap && <li className={styles.gap} aria-hidden="true" />}
        {near.map((row) => (
          <PlayerRow key={row.at} row={row} {...shared} />
        ))}
      </ol>
    </section>
  );
}

/** Says why some rows have no name (PROD-82), and what the places mean. */
export function BoardNotes({ boards, user }: { boards: readonly Board[]; user: User | null }) {
  const rows = boards.flatMap((board) => {
    const { best, near } = listsOf(board, user?.username);
    return [...best, ...near];
  });
  return (
    <>
      {rows.some(({ username }) => username === null) && (
        <p className={styles.below}>
          Some players show their name to their own league only. Scores and places are real.{' '}
          <Link to="/account">Who sees my name</Link>
        </p>
      )}
      <p className={styles.foot}>Highest score of each player. Equal scores share a place.</p>
    </>
  );
}
