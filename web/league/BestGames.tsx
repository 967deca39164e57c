import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { BestGame } from '#contract/wire/leagues.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { Panel } from '../ui/Panel.tsx';
import styles from './BestGames.module.css';

/**
 * Describes a game: "You, Brick City Bankers, week 5". `team` is null if it would reveal a name.
 */
function about({ team, week }: BestGame, me: boolean): string {
  const parts = [me ? 'You' : null, team, `week ${week}`].filter((part) => part !== null);
  const words = parts.join(', ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function GameRow({ game, me }: { game: BestGame; me: boolean }) {
  const { username, avatar_color: color, jersey_number: number } = game;
  const look = [me && styles.me, username === null && styles.nobody];
  return (
    <li className={look.filter(Boolean).join(' ')} aria-current={me ? 'true' : undefined}>
      <span className={styles.place}>
        <span className="sr">Place </span>
        {game.place}
      </span>
      <span className={styles.jersey} aria-hidden="true">
        {username && color && number ? (
          <Jersey username={username} color={color} number={number} small />
        ) : (
          <GreyJersey />
        )}
      </span>
      <span className={styles.name}>
        {username?.toUpperCase() ?? A_PLAYER}
        <small>{about(game, me)}</small>
      </span>
      <span className={styles.score}>
        <span className="sr">Score </span>
        {game.score}
      </span>
    </li>
  );
}

/** The season's best games, with the names that the player may see (PROD-83). */
export function BestGames({
  games,
  username,
}: {
  games: BestGame[];
  username: string | undefined;
}) {
  if (games.length === 0) return null;
  return (
    <Panel title="Best games of the season">
      <ol className={styles.games}>
        {games.map((game, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a game has no other key on this list
          <GameRow key={at} game={game} me={game.username === username} />
        ))}
      </ol>
      {games.some((game) => game.username === null) && (
        <p className={styles.below}>
          “{A_PLAYER}” shows the name only to their own team and who they play. The scores are real.
          When you play their team, you see it.
        </p>
      )}
    </Panel>
  );
}
