import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { User } from '#contract/wire/profile.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { Link } from '../router.tsx';
import { type BoardRow, boardName, listsOf } from './board.ts';
import styles from './Leaderboard.module.css';
import type { Board } from './queries.ts';

const TOP_PLACES = 3;

/** `unnamed` means that others see “A player” in place of the name. */
function PlayerRow({ row, unnamed }: { row: BoardRow; unnamed: boolean }) {
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
        {row.me && <small>{unnamed ? `You. Others here see “${A_PLAYER}”` : 'You'}</small>}
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
  const unnamed = board.choice.scope !== 'league' && user?.visibility === 'league';
  return (
    <section className={styles.board} aria-label={boardName(board.choice)}>
      <ol>
        {best.map((row) => (
          <PlayerRow key={row.at} row={row} unnamed={unnamed} />
        ))}
        {gap && <li className={styles.gap} aria-hidden="true" />}
        {near.map((row) => (
          <PlayerRow key={row.at} row={row} unnamed={unnamed} />
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
          “{A_PLAYER}” shows the name only to their own team and who they play. The scores and
          places are real. <Link to="/account">Who sees my name</Link>
        </p>
      )}
      <p className={styles.foot}>Highest score of each player. Equal scores share a place.</p>
    </>
  );
}
