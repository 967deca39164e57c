import type { CSSProperties } from 'react';
import type { UserStat } from '#contract/wire/profile.ts';
import { useChange } from '../ui/change.ts';
import { useCountUp } from './count-up.ts';
import { Figure } from './Figure.tsx';
import { PanelLinks } from './PanelLinks.tsx';
import styles from './PlayerStats.module.css';

const LINKS = [{ to: '/achievements', name: 'Achievements' }] as const;

function useNewBest(highscore: number): boolean {
  const [{ from, to }] = useChange(highscore);
  return from !== null && to > from;
}

/** A ball drops beside a new high score, which the slip announces (PROD-34, LOOK-53). */
export function PlayerStats({ stat }: { stat: UserStat }) {
  const share = useCountUp();
  const isNewBest = useNewBest(stat.highscore);
  const figures = [
    { label: 'Total Games', value: stat.games_played },
    { label: 'High Score', value: stat.highscore, isNewBest },
    { label: 'Avg. Score', value: stat.avg_score },
  ];
  const longest = Math.max(...figures.map((figure) => String(figure.value).length));
  return (
    <section className={styles.score} aria-labelledby="player-stats">
      <h2 id="player-stats" className={`display ${styles.title}`}>
        Player Stats
      </h2>
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
      <PanelLinks label="Player" links={LINKS} onNavy />
    </section>
  );
}
