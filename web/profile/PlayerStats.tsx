import type { CSSProperties } from 'react';
import type { UserStat } from '#contract/profile.ts';
import { useCountUp } from './count-up.ts';
import { PanelLinks } from './PanelLinks.tsx';
import styles from './PlayerStats.module.css';

const LINKS = [
  { to: '/games', name: 'Games' },
  { to: '/achievements', name: 'Achievements' },
];
/** Who has a team finds it on the team's panel. */
const LEADERBOARD = { to: '/leaderboard', name: 'Leaderboard' };

type PlayerStatsProps = { stat: UserStat; hasTeam: boolean };

/** Player Stats: three figures in full, counting up the first time they are seen. */
export function PlayerStats({ stat, hasTeam }: PlayerStatsProps) {
  const share = useCountUp();
  const figures = [
    { label: 'Total Games', value: stat.games_played },
    { label: 'High Score', value: stat.highscore },
    { label: 'Avg. Score', value: stat.avg_score },
  ];
  const longest = Math.max(...figures.map((figure) => String(figure.value).length));
  return (
    <section className={styles.score} aria-labelledby="player-stats">
      <h2 id="player-stats" className={`display ${styles.title}`}>
        Player Stats
      </h2>
      <dl className={styles.figures} style={{ '--characters': longest } as CSSProperties}>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {share < 1 ? (
                <>
                  <span aria-hidden="true">{Math.round(value * share)}</span>
                  <span className="sr">{value}</span>
                </>
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
      </dl>
      <PanelLinks label="Player" links={hasTeam ? LINKS : [...LINKS, LEADERBOARD]} onNavy />
    </section>
  );
}
