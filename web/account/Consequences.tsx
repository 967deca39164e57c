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

/** What a step takes away, each with a cross, and what it leaves, each with a tick (look 37). */
export function Consequences({ goes, stays }: { goes: string[]; stays: string[] }) {
  return (
    <ul className={styles.consequences}>
      {goes.map((what) => (
        <li key={what}>
          <Sign path={CROSS} />
          <span>
            {/* The cross in words. */}
            <span className="sr">Gone: </span>
            {what}
          </span>
        </li>
      ))}
      {stays.map((what) => (
        <li key={what}>
          <Sign path={TICK} />
          <span>{what}</span>
        </li>
      ))}
    </ul>
  );
}
