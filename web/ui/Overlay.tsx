import logo from '#brand/logo.svg';
import styles from './Overlay.module.css';

/** The full-screen loading overlay (PROD-05). */
export function Overlay() {
  return (
    <div className={styles.overlay} role="status">
      <img className={styles.mark} src={logo} alt="" />
      <span className="sr">Loading</span>
    </div>
  );
}
