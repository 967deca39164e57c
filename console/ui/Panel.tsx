import { type ReactNode, useId } from 'react';

/** A card with a heading. Use `flush` when it ends with a list that reaches the lower edge. */
export function Panel({
  title,
  flush = false,
  children,
}: {
  title: string;
  flush?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={flush ? 'panel panel--flush' : 'panel'} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
