import type { ComponentType, ReactNode } from 'react';
import { Chevron } from './Chevron.tsx';
import styles from './Strip.module.css';

type StripProps<To extends string> = {
  /** A prop, because web/ui must not import the router. */
  as: ComponentType<{
    to: To;
    className?: string | undefined;
    onFollow?: (() => void) | undefined;
    children?: ReactNode;
  }>;
  to: To;
  /** Called when the strip is followed. */
  onFollow?: () => void;
  picture: ReactNode;
  title: string;
  children: ReactNode;
};

/** A strip of news between a page's panels, as one link (LOOK-52). */
export function Strip<To extends string>({
  as: Link,
  to,
  onFollow,
  picture,
  title,
  children,
}: StripProps<To>) {
  return (
    <Link to={to} className={styles.strip} onFollow={onFollow}>
      {picture}
      <span className={styles.words}>
        <b className="display">{title}</b>
        <span className={styles.text}>{children}</span>
      </span>
      <Chevron className={styles.go} />
    </Link>
  );
}
