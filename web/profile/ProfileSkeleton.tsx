import { BlankJersey } from '../avatar/Jersey.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import pass from './Pass.module.css';
import { CourtLines } from './Pass.tsx';
import score from './PlayerStats.module.css';
import styles from './ProfileSkeleton.module.css';
import code from './QrCode.module.css';
import team from './TeamStats.module.css';

const FIGURES = ['Total Games', 'High Score', 'Avg. Score'];
/** How many rows stand in for a team whose size is not known yet. */
const ROWS = [1, 2, 3, 4, 5, 6];

/** The pass and the figures before anything is known of the player: the same boxes, grey. */
export function ProfileSkeleton() {
  return (
    <>
      <h1 className="sr">Profile</h1>
      <div role="status" className="sr">
        Loading
      </div>
      <div aria-hidden="true" className={styles.quiet}>
        <div className={pass.pass}>
          <div className={pass.top}>
            <CourtLines />
            <BlankJersey className={pass.jersey} />
          </div>
          <div className={pass.who}>
            <div className={styles.name}>
              <Skeleton width="13.75rem" height="2.5rem" />
            </div>
            <div className={styles.email}>
              <Skeleton width="10rem" height="1rem" />
            </div>
          </div>
          <div className={pass.perforation} />
          <div className={`${code.code} ${styles.code}`}>
            <div className={styles.modules}>
              <Skeleton height="100%" radius="var(--r-md)" />
            </div>
          </div>
          <div className={styles.mode}>
            <Skeleton width="9rem" height="calc(1.25rem + 17px)" radius="var(--r-md)" />
          </div>
        </div>
        <div className={score.score}>
          <Skeleton width="8rem" height="1.5rem" onNavy />
          <div className={score.figures}>
            {FIGURES.map((figure) => (
              <div key={figure}>
                <div className={styles.label}>
                  <Skeleton width="4.5rem" height="0.875rem" onNavy />
                </div>
                <Skeleton width="4rem" height="3.25rem" onNavy />
              </div>
            ))}
          </div>
          <div className={styles.links}>
            <Skeleton height="3rem" radius="var(--r-md)" onNavy />
            <Skeleton height="3rem" radius="var(--r-md)" onNavy />
          </div>
        </div>
      </div>
    </>
  );
}

/** The team's panel while its figures are on their way; `dim` when league mode is off. */
export function TeamSkeleton({ dim }: { dim: boolean }) {
  return (
    <section className={team.panel} data-dim={dim}>
      <div role="status" className="sr">
        Loading team stats
      </div>
      <div aria-hidden="true" className={styles.rows}>
        <Skeleton width="13rem" height="1.5rem" />
        {ROWS.map((row) => (
          <Skeleton key={row} height="2.25rem" />
        ))}
        {!dim && <Skeleton height="15rem" radius="var(--r-lg)" />}
      </div>
      <div aria-hidden="true" className={styles.links}>
        <Skeleton height="3rem" radius="var(--r-md)" />
        <Skeleton height="3rem" radius="var(--r-md)" />
      </div>
    </section>
  );
}
