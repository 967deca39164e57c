import logo from './logo.svg';
import styles from './Overlay.module.css';

/** The mark, turning once in 0.8 s (spec 9). Decorative: the words beside it say what goes on. */
export function Spinner() {
  return <img className={styles.mark} src={logo} alt="" />;
}

/** The full-screen loading overlay: the mark turns over the page (spec 2). */
export function Overlay() {
  return (
    <div className={styles.overlay} role="status">
      <Spinner />
      <span className="sr">Loading</span>
    </div>
  );
}
