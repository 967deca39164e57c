import type { CSSProperties } from 'react';
import styles from './Skeleton.module.css';

/**
 * A grey place for something that is still on its way; give it the size of the real thing, by
 * `className` where it is painted into a page.
 * Decorative: say 'Loading' once, in a `role="status"` around all of them.
 */
export function Skeleton({
  width,
  height,
  radius,
  className = '',
  onNavy = false,
}: {
  width?: CSSProperties['width'];
  height?: CSSProperties['height'];
  radius?: CSSProperties['borderRadius'];
  className?: string | undefined;
  /** Stands on a scoreboard surface. */
  onNavy?: boolean;
}) {
  return (
    <span
      className={`${styles.skeleton} ${onNavy ? styles.navy : ''} ${className}`}
      style={{ width, height, borderRadius: radius }}
      aria-hidden="true"
    />
  );
}
