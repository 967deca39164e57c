import type { CSSProperties } from 'react';
import styles from './Skeleton.module.css';

/**
 * A grey box of the size of what is loading. Where it is painted into a page, set the size by
 * `className`. Decorative: announce “Loading” once, in a `role="status"`.
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
