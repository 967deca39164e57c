import styles from './Bell.module.css';

/** The sign of notifications, with a ball as clapper. */
export function Bell() {
  return (
    <svg className={styles.bell} viewBox="0 0 48 48" aria-hidden="true">
      <path d="M8.5 34.5h31l-4-6.2V19.5a11.5 11.5 0 0 0-23 0v8.8Z" />
      <circle cx="24" cy="41" r="7" />
    </svg>
  );
}
