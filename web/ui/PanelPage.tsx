import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { titled } from './brand.ts';
import { Column } from './Page.tsx';
import styles from './Panel.module.css';

type PanelPageProps = {
  title: string;
  lead?: ReactNode;
  /** Whether the page has two columns in a wide window (LOOK-67). */
  wide?: boolean;
  children: ReactNode;
} & Pick<ComponentProps<'main'>, 'aria-busy'>;

/** The `main` of a page below the profile. Its heading takes the focus. */
export function PanelPage({ title, lead, wide = false, children, ...main }: PanelPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The bar of rooms has set the scroll position already (HAND-36).
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Column className={wide ? `${styles.page} ${styles.columns}` : styles.page} {...main}>
      <title>{titled(title)}</title>
      <div className={styles.title}>
        <h1 ref={heading} className="display" tabIndex={-1}>
          {title}
        </h1>
        {lead && <p>{lead}</p>}
      </div>
      {children}
    </Column>
  );
}

/** The skeleton of a page with two columns. */
export function ColumnsSkeleton({ children }: { children: ReactNode }) {
  return (
    <div className={styles.columns} aria-hidden="true">
      {children}
    </div>
  );
}

/** An empty page: a drawing, a heading, and what to do next. */
export function Empty({
  title,
  drawing,
  text,
  children,
}: {
  title: string;
  drawing?: ReactNode;
  text: string;
  children?: ReactNode;
}) {
  return (
    <section className={`${styles.panel} ${styles.empty}`}>
      {drawing}
      <h2 className="display">{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}
