import logo from '#brand/logo.svg';
import styles from './Overlay.module.css';

export function Spinner() {
  return <img className={styles.mark} src={logo} alt="" />;
}

/** The full-screen loading overlay (PROD-05). */
export function Overlay() {
  return (
    <div className={styles.overlay} role="status">
      <Spinner />
      <span className="sr">Loading</span>
    </div>
  );
}
