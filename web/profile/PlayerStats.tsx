import type { CSSProperties } from 'react';
import type { UserStat } from '#contract/wire/profile.ts';
import { useChange } from '../ui/change.ts';
import { useCountUp } from './count-up.ts';
import { Figure } from './Figure.tsx';
import { PanelLinks } from './PanelLinks.tsx';
import styles from './PlayerStats.module.css';

const LINKS = [
  { to: '/games', name: 'Games' },
  { to: '/achievements', name: 'Achievements' },
] as const;
/** The link for players without a team. For others the team's panel has it. */
const LEADERBOARD = { to: '/leaderboard', name: 'Leaderboard' } as const;

type PlayerStatsProps = { stat: UserStat; hasTeam: boolean };

function useNewBest(highscore: number): boolean {
  const [{ from, to }] = useChange(highscore);
  return from !== null && to > from;
}

/** A ball drops beside a new high score, which is announced (PROD-34, LOOK-53). */
export function PlayerStats({ stat, hasTeam }: PlayerStatsProps) {
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
      <p className="sr" role="status">
        {isNewBest && `New personal best: ${stat.highscore}`}
      </p>
      <PanelLinks label="Player" links={hasTeam ? LINKS : [...LINKS, LEADERBOARD]} onNavy />
    </section>
  );
}
