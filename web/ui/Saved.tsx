import styles from './Saved.module.css';

/** Says beside the head of a panel that a choice was saved (HAND-99). */
export function Saved({ shown }: { shown: boolean }) {
  return (
    <p className={styles.saved} role="status">
      {shown && (
        <>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m5 12.5 4.5 4.5L19 7.5" />
          </svg>
          Saved
        </>
      )}
    </p>
  );
}
