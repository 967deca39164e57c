import type { CSSProperties } from 'react';
import styles from './Skeleton.module.css';

/**
 * A grey box while content loads. A prerendered box must get its size from `className` (P32).
 * Screen readers skip it: announce “Loading” once, in a `role="status"`.
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
