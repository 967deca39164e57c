import { Jersey } from '../avatar/Jersey.tsx';
import { type BoardRow, boardName, listsOf } from './board.ts';
import styles from './Leaderboard.module.css';
import type { Board } from './queries.ts';

const TOP_PLACES = 3;

function PlayerRow({ row }: { row: BoardRow }) {
  const name = row.username.toUpperCase();
  const look = [
    row.me && styles.me,
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
        <Jersey username={row.username} color={row.avatar_color} number={row.jersey_number} small />
      </span>
      <span className={styles.name} title={name}>
        {name}
        {row.me && <small>You</small>}
      </span>
      <span className={styles.score}>
        <span className="sr">Score </span>
        {row.score}
      </span>
    </li>
  );
}

/** The rows of the best players, and the player's own row, even if it is further down (LOOK-57). */
export function BoardList({ board, username }: { board: Board; username: string | undefined }) {
  const { best, near, gap } = listsOf(board, username);
  return (
    <>
      <section className={styles.board} aria-label={boardName(board.choice)}>
        <ol>
          {best.map((row) => (
            <PlayerRow key={row.username} row={row} />
          ))}
          {gap && <li className={styles.gap} aria-hidden="true" />}
          {near.map((row) => (
            <PlayerRow key={row.username} row={row} />
          ))}
        </ol>
      </section>
      <p className={styles.foot}>Highest score of each player. Equal scores share a place.</p>
    </>
  );
}
