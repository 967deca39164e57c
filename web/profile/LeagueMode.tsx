import toggle from '../ui/Switch.module.css';
import styles from './LeagueMode.module.css';

type LeagueModeProps = { on: boolean; onToggle: (on: boolean) => void };

/** The whole panel is the switch's label, so a tap anywhere toggles it (PROD-35). */
export function LeagueMode({ on, onToggle }: LeagueModeProps) {
  return (
    <section id="league-mode" className={styles.panel} aria-label="League Mode">
      <label className={styles.league}>
        <b className="display">League Mode</b>
        <small id="league-caption">Count games towards weekly team stats</small>
        <input
          type="checkbox"
          role="switch"
          className={toggle.switch}
          aria-checked={on}
          aria-label="League Mode"
          aria-describedby="league-caption"
          checked={on}
          onChange={(event) => onToggle(event.target.checked)}
        />
      </label>
    </section>
  );
}
