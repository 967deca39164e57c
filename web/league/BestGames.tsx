import { ordinal } from '#contract/rules/games.ts';
import type { BestGame } from '#contract/wire/leagues.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { PlayerName } from '../shell/PlayerName.tsx';
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

type RowProps = {
  game: BestGame;
  me: boolean;
  /** The viewer's best game on the list. */
  mine: number | null;
  /** Whether the teams are those of the player's league. */
  hasPage: boolean;
};

function GameRow({ game, me, mine, hasPage }: RowProps) {
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
        <PlayerName
          username={username}
          me={me}
          person={{
            place: `${ordinal(game.place)} of the season’s best games`,
            look: { color, number },
            team: game.team,
            hasPage,
            best: { words: 'Best game of the season', mine, theirs: game.score },
          }}
        />
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
  hasPage = false,
}: {
  games: BestGame[];
  username: string | undefined;
  hasPage?: boolean;
}) {
  if (games.length === 0) return null;
  const shared = {
    mine: games.find((game) => game.username === username)?.score ?? null,
    hasPage,
  };
  return (
    <Panel title="Best games of the season">
      <ol className={styles.games}>
        {games.map((game, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a game has no other key on this list
          <GameRow key={at} game={game} me={game.username === username} {...shared} />
        ))}
      </ol>
      {games.some((game) => game.username === null) && (
        <p className={styles.below}>
          Some players show their name to their own league only. The scores are real.
        </p>
      )}
    </Panel>
  );
}
