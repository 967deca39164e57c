import type { CSSProperties } from 'react';
import type { UserStat } from '#contract/wire/profile.ts';
import { Link } from '../router.tsx';
import { useLastRead } from '../shell/LiveQueries.tsx';
import { Chevron } from '../ui/Chevron.tsx';
import { useChange } from '../ui/change.ts';
import { Figure } from '../ui/Figure.tsx';
import { useCountUp } from './count-up.ts';
import styles from './PlayerStats.module.css';

const LINKS = [
  { to: '/achievements', name: 'Achievements' },
  { to: '/duels', name: 'Duels' },
] as const;

function useNewBest(highscore: number): boolean {
  const [{ from, to }] = useChange(highscore);
  return from !== null && to > from;
}

/** A ball drops beside a new high score, which the slip announces (PROD-34, LOOK-53). */
export function PlayerStats({ stat }: { stat: UserStat }) {
  const share = useCountUp(useLastRead().known);
  const isNewBest = useNewBest(stat.highscore);
  const figures = [
    { label: 'Total Games', value: stat.games_played },
    { label: 'High Score', value: stat.highscore, isNewBest },
    { label: 'Avg. Score', value: stat.avg_score },
  ];
  const longest = Math.max(...figures.map((figure) => String(figure.value).length));
  return (
    <section className={styles.score} aria-labelledby="player-stats">
      <div className={styles.head}>
        <h2 id="player-stats" className={`display ${styles.title}`}>
          Player Stats
        </h2>
        <nav aria-label="Player">
          {LINKS.map(({ to, name }) => (
            <Link key={to} to={to}>
              {name}
              <Chevron />
            </Link>
          ))}
        </nav>
      </div>
      <dl className={styles.figures} style={{ '--characters': longest } as CSSProperties}>
        {figures.map(({ label, value, isNewBest: best }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {share < 1 ? (
                <>
                  <span aria-hidden="true">{Math.round(value * share)}</span>
                  <span className="sr">{value}</span>
                </>
              ) : (
                <Figure value={value} />
              )}
              {best && (
                <span key={value} className={styles.ball}>
                  <span className="sr">, new personal best</span>
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
