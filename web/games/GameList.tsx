import { type Ref, useId } from 'react';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { PlayedGame } from '#contract/wire/games.ts';
import { SignMark } from '../slip/SignMark.tsx';
import { SIGNS } from '../slip/signs.ts';
import { recentTime, weekdayAndDay } from '../ui/dates.ts';
import { serverDate } from '../ui/server-clock.ts';
import { clockTime, isSameDay } from '../ui/times.ts';
import { byDay, percentOf, shortReason } from './counted.ts';
import styles from './Games.module.css';
import { reportedLine } from './reported.ts';

type Rows = {
  team: string | null;
  bestId: string | undefined;
  /** The id of the game whose row can take the focus. */
  marked: string | undefined;
  markedRow: Ref<HTMLLIElement>;
  onOpen: (game: PlayedGame) => void;
};

const FLAG = 'M6 21V4M6 5h12l-3 4 3 4H6';
const TICK = 'm5 12.5 4.5 4.5L19 7.5';

function GameRow({
  game,
  venue,
  team,
  bestId,
  marked,
  markedRow,
  onOpen,
}: { game: PlayedGame; venue: string | null } & Rows) {
  const sign = SIGNS[game.counts];
  const told = reportedLine(game);
  const at = new Date(game.played_at);
  const percent = percentOf(game.shots);
  const look = [sign !== 'ball' && styles.quiet, game.report === 'void' && styles.struck];
  return (
    <li
      className={look.filter(Boolean).join(' ') || undefined}
      {...(game.id === marked ? { ref: markedRow, tabIndex: -1 } : {})}
    >
      <span className={styles.score}>
        <span className="sr">Score </span>
        {game.score}
      </span>
      <div className={styles.about}>
        <p className={styles.words}>
          <SignMark sign={sign} />
          <span>{shortReason(game, team)}</span>
          {game.id === bestId && <b className={styles.best}>Best</b>}
        </p>
        <p className={styles.where}>
          <span>
            {clockTime(at)}, {game.machine}
            {venue && `, ${venue}`}
          </span>
          {percent !== null && (
            <span>
              <span aria-hidden="true"> · </span>
              <span className="sr">, shooting </span>
              {percent} %
            </span>
          )}
        </p>
      </div>
      <button
        type="button"
        className={styles.do}
        aria-haspopup="dialog"
        aria-label={`More on the game of ${recentTime(at, serverDate())}, ${game.score}`}
        onClick={() => onOpen(game)}
      >
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M6 12h.01M12 12h.01M18 12h.01" />
        </svg>
      </button>
      {game.duels.map(({ id, username }) => (
        <p key={id} className={styles.told}>
          <i className={styles.ball} />
          <span>Duel with {username?.toUpperCase() ?? A_PLAYER}: your best</span>
        </p>
      ))}
      {told && (
        <p className={styles.told}>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={told.settled ? TICK : FLAG} />
          </svg>
          <span>{told.words}</span>
        </p>
      )}
    </li>
  );
}

function Day({
  day,
  games,
  venue,
  ...rows
}: { day: Date; games: PlayedGame[]; venue: string | null } & Rows) {
  const id = useId();
  const now = serverDate();
  return (
    <>
      <div className={styles.day}>
        <h2 id={id}>
          {isSameDay(day, now) && 'Today, '}
          {weekdayAndDay(day, now)}
        </h2>
        {venue !== null && <span>{venue}</span>}
      </div>
      <ul className={styles.games} aria-labelledby={id}>
        {games.map((game) => (
          <GameRow key={game.id} game={game} venue={venue === null ? game.venue : null} {...rows} />
        ))}
      </ul>
    </>
  );
}

/** The games by day (PROD-50, HAND-70). */
export function GameList({ games, ...rows }: { games: readonly PlayedGame[] } & Rows) {
  return (
    <div className={styles.days}>
      {byDay(games).map((one) => (
        <Day key={one.day.getTime()} {...one} {...rows} />
      ))}
    </div>
  );
}
