import { type ReactNode, type Ref, useId } from 'react';
import type { PlayedGame } from '#contract/wire/games.ts';
import { clockTime, isSameDay, recentTime, weekdayAndDay } from '../ui/dates.ts';
import { serverDate } from '../ui/server-clock.ts';
import { byDay, countedFor, type Sign } from './counted.ts';
import styles from './Games.module.css';
import { opens, reportedLine } from './reported.ts';

const SIGNS: Record<Sign, ReactNode> = {
  counted: (
    <>
      <rect className={styles.full} x="4" y="4" width="16" height="16" rx="4" />
      <path className={styles.tick} d="m8.5 12.2 2.5 2.5 4.7-5.2" />
    </>
  ),
  bench: <rect x="4.5" y="4.5" width="15" height="15" rx="4" />,
  out: <path d="M5 12h14" />,
  over: <path d="M5 12h14M12 5v14" />,
  held: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 7.5V12l3 2" />
    </>
  ),
};

type Marks = {
  bestId: string | undefined;
  /** The id of the game whose row can take the focus. */
  marked: string | undefined;
  markedRow: Ref<HTMLLIElement>;
  onReport: (game: PlayedGame) => void;
};

const FLAG = 'M6 21V4M6 5h12l-3 4 3 4H6';
const TICK = 'm5 12.5 4.5 4.5L19 7.5';

function ReportButton({ game, onReport }: { game: PlayedGame } & Pick<Marks, 'onReport'>) {
  const what = opens(game);
  if (what === null) return null;
  const name = `the game of ${recentTime(new Date(game.played_at), serverDate())}, ${game.score}`;
  return (
    <button
      type="button"
      className={styles.do}
      aria-haspopup="dialog"
      aria-label={what === 'report' ? `Your report on ${name}` : `Report ${name}`}
      onClick={() => onReport(game)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M6 12h.01M12 12h.01M18 12h.01" />
      </svg>
    </button>
  );
}

function GameRow({
  game,
  team,
  bestId,
  marked,
  markedRow,
  onReport,
}: { game: PlayedGame; team: string | null } & Marks) {
  const { words, sign } = countedFor(game, team);
  const quiet = sign === 'out' || sign === 'held';
  const told = reportedLine(game);
  const look = [quiet && styles.quiet, game.report === 'void' && styles.struck];
  return (
    <li
      className={look.filter(Boolean).join(' ') || undefined}
      {...(game.id === marked ? { ref: markedRow, tabIndex: -1 } : {})}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {SIGNS[sign]}
      </svg>
      <div>
        <p className={styles.words}>{words}</p>
        <p className={styles.where}>
          {clockTime(new Date(game.played_at))} · {game.machine}
          {game.venue && `, ${game.venue}`}
        </p>
        {game.id === bestId && <p className={styles.best}>Personal best</p>}
      </div>
      <span className={styles.score}>
        <span className="sr">Score </span>
        {game.score}
      </span>
      <ReportButton game={game} onReport={onReport} />
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

function Day({ day, games, ...row }: { day: Date; games: PlayedGame[] } & DayProps) {
  const id = useId();
  const now = serverDate();
  return (
    <>
      <h2 id={id} className={styles.day}>
        {isSameDay(day, now) && 'Today, '}
        {weekdayAndDay(day, now)}
      </h2>
      <ul className={styles.games} aria-labelledby={id}>
        {games.map((game) => (
          <GameRow key={game.id} game={game} {...row} />
        ))}
      </ul>
    </>
  );
}

type DayProps = {
  team: string | null;
} & Marks;

/** The games by day (PROD-50). */
export function GameList({ games, ...rows }: { games: readonly PlayedGame[] } & DayProps) {
  return (
    <div className={styles.days}>
      {byDay(games).map((one) => (
        <Day key={one.day.getTime()} {...one} {...rows} />
      ))}
    </div>
  );
}
