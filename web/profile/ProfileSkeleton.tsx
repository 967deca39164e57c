import { BlankJersey } from '../avatar/Jersey.tsx';
import { AppHeader } from '../shell/AppHeader.tsx';
import { Rooms } from '../shell/Rooms.tsx';
import team from '../shell/TeamTable.module.css';
import { Column, Page } from '../ui/Page.tsx';
import panel from '../ui/Panel.module.css';
import { Skeleton } from '../ui/Skeleton.tsx';
import { LineSkeleton } from './LastGame.tsx';
import beat from './NumberToBeat.module.css';
import pass from './Pass.module.css';
import { CourtLines } from './Pass.tsx';
import score from './PlayerStats.module.css';
import page from './Profile.module.css';
import styles from './ProfileSkeleton.module.css';
import code from './QrCode.module.css';

const FIGURES = ['Total Games', 'High Score', 'Avg. Score'];
const ROWS = [1, 2, 3, 4, 5, 6];

/**
 * Grey boxes for pass and figures. Classes set their sizes, because P32 forbids inline styles in
 * the painted page.
 */
export function ProfileSkeleton() {
  return (
    <>
      <h1 className="sr">Profile</h1>
      <div role="status" className="sr">
        Loading
      </div>
      <div aria-hidden="true" className={`${styles.quiet} ${panel.columns}`}>
        <div className={`${pass.pass} ${panel.left}`}>
          <div className={pass.top}>
            <CourtLines />
            <BlankJersey className={pass.jersey} />
            <div className={pass.who}>
              <div className={styles.name}>
                <Skeleton className={styles.nameBar} />
              </div>
              <div className={styles.email}>
                <Skeleton className={styles.emailBar} />
              </div>
            </div>
          </div>
          <div className={pass.perforation} />
          <div className={`${code.code} ${styles.code}`}>
            <div className={styles.modules}>
              <Skeleton className={styles.codeBox} />
            </div>
          </div>
          <div className={styles.mode}>
            <Skeleton className={styles.modeBox} />
          </div>
          <LineSkeleton />
        </div>
        <div className={page.group}>
          <div className={score.score}>
            <Skeleton className={styles.titleBar} onNavy />
            <div className={score.figures}>
              {FIGURES.map((figure) => (
                <div key={figure}>
                  <div className={styles.label}>
                    <Skeleton className={styles.labelBar} onNavy />
                  </div>
                  <Skeleton className={styles.figureBar} onNavy />
                </div>
              ))}
            </div>
          </div>
        </div>
      </div>
    </>
  );
}

/** The skeleton that the build paints into /profile (paint/prerender.tsx). */
export function ProfileFrame() {
  return (
    <>
      <Rooms />
      <Page court={false}>
        <AppHeader />
        <Column className={`${page.main} ${panel.columns}`}>
          <div className={styles.late}>
            <ProfileSkeleton />
          </div>
        </Column>
      </Page>
    </>
  );
}

/** Keeps the place of the number to beat while it loads. `shown`: with its grey boxes. */
export function BeatSkeleton({ shown }: { shown: boolean }) {
  return (
    <div className={beat.panel} aria-hidden="true">
      <div className={shown ? beat.beat : `${beat.beat} ${styles.unseen}`}>
        <Skeleton className={beat.title} />
        <Skeleton className={beat.square} />
        <Skeleton height="4rem" />
        <div className={beat.facts}>
          <Skeleton height="2.5rem" />
        </div>
      </div>
    </div>
  );
}

/** The team panel while it loads. `dim` means that league mode is off. */
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
      </div>
    </section>
  );
}
