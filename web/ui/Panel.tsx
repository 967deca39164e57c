import { type ReactNode, type Ref, useId } from 'react';
import styles from './Panel.module.css';

type PanelProps = {
  title: string;
  aside?: ReactNode;
  heading?: Ref<HTMLHeadingElement>;
  left?: boolean;
  children: ReactNode;
};

/** A white panel. Its heading is its accessible name. */
export function Panel({ title, aside, heading, left = false, children }: PanelProps) {
  const id = useId();
  return (
    <section
      className={left ? `${styles.panel} ${styles.left}` : styles.panel}
      aria-labelledby={id}
    >
      <div className={styles.head}>
        <h2 id={id} className="display" {...(heading && { ref: heading, tabIndex: -1 })}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
