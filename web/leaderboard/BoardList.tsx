import { A_PLAYER } from '#contract/visibility.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { type BoardRow, boardName, listsOf } from './board.ts';
import styles from './Leaderboard.module.css';
import type { Board } from './queries.ts';

const TOP_PLACES = 3;

function PlayerRow({ row }: { row: BoardRow }) {
  const { username, avatar_color: color, jersey_number: number } = row;
  const name = username?.toUpperCase() ?? A_PLAYER;
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
            <PlayerRow key={row.at} row={row} />
          ))}
          {gap && <li className={styles.gap} aria-hidden="true" />}
          {near.map((row) => (
            <PlayerRow key={row.at} row={row} />
          ))}
        </ol>
      </section>
      <p className={styles.foot}>Highest score of each player. Equal scores share a place.</p>
    </>
  );
}
