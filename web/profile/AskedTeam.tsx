import { useTeamRequest } from '../session/reads.ts';
import { AskedTeam as Asked } from '../shell/AskedTeam.tsx';
import styles from '../shell/TeamTable.module.css';

/** The panel of a player who has asked to join a team (PROD-99). */
export function AskedTeam() {
  const asked = useTeamRequest();
  if (asked.request === null) return null;
  return (
    <section className={styles.panel} aria-labelledby="team-stats">
      <h2 id="team-stats" className="display">
        Team Stats (Weekly)
      </h2>
      <Asked {...asked} />
    </section>
  );
}
