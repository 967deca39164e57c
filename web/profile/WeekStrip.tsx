import { GREY_JERSEY } from '#brand/jersey-colour.ts';
import type { ClosedWeek } from '#contract/wire/leagues.ts';
import { Link } from '../router.tsx';
import { Strip } from '../ui/Strip.tsx';
import styles from './WeekStrip.module.css';

function invitation({ team_total_score, opponent_total_score, opponent }: ClosedWeek): string {
  const ahead = team_total_score - opponent_total_score;
  if (ahead === 0) return `You drew level with ${opponent}. Share it.`;
  if (ahead > 0) return `You beat ${opponent} by ${ahead}. Share it.`;
  return `You lost to ${opponent} by ${-ahead}. Share it.`;
}

function Thumb({ colours: [one, other] }: { colours: string[] }) {
  return (
    <span className={styles.thumb}>
      <svg viewBox="0 0 64 80" aria-hidden="true">
        <path
          className={styles.frame}
          d="M56 48V16a5 5 0 0 0-5-5H13a5 5 0 0 0-5 5V60a5 5 0 0 0 5 5H38"
        />
        <circle cx="51" cy="62" r="9" />
        <rect x="16" y="46" width="26" height="5" rx="1.5" />
        {one && <path fill={one} d="M17 24h6l2 2 2-2h6v6h-3v10H20V30h-3Z" />}
        {other && <path fill={other} d="M35 24h4l2 2 2-2h4v6h-2v10h-8V30h-2Z" />}
      </svg>
    </span>
  );
}

/** Links to the picture of a closed week. */
export function WeekStrip({ week }: { week: ClosedWeek }) {
  return (
    <Strip
      as={Link}
      to="/week"
      picture={
        <Thumb colours={week.players.map((player) => player.avatar_color ?? GREY_JERSEY.body)} />
      }
      title="Week in one picture"
    >
      {invitation(week)}
    </Strip>
  );
}
