import { type ReactNode, useId } from 'react';

/** A card with a heading. `flush`: it ends with a list that reaches its edge. */
export function Panel({
  title,
  flush = false,
  action,
  children,
}: {
  title: string;
  flush?: boolean;
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={flush ? 'panel panel--flush' : 'panel'} aria-labelledby={id}>
      {action ? (
        <div className="panel__h">
          <h2 id={id}>{title}</h2>
          {action}
        </div>
      ) : (
        <h2 id={id}>{title}</h2>
      )}
      {children}
    </section>
  );
}
