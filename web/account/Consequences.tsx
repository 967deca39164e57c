import styles from './Account.module.css';

const CROSS = 'm7 7 10 10M17 7 7 17';
const TICK = 'm5 12.5 4.5 4.5L19 7.5';

function Sign({ path }: { path: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** What an action removes (crosses) and keeps (ticks) (LOOK-60). */
export function Consequences({ lost, kept }: { lost: string[]; kept: string[] }) {
  return (
    <ul className={styles.consequences}>
      {lost.map((what) => (
        <li key={what}>
          <Sign path={CROSS} />
          <span>
            <span className="sr">Gone: </span>
            {what}
          </span>
        </li>
      ))}
      {kept.map((what) => (
        <li key={what}>
          <Sign path={TICK} />
          <span>{what}</span>
        </li>
      ))}
    </ul>
  );
}
