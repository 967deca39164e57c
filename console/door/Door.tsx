import { type ReactNode, useEffect, useRef } from 'react';
import wordmark from '#brand/wordmark.svg';

/**
 * A page for a person who is not signed in. Focuses the heading when the title changes, and at first
 * with `focus`.
 */
export function Door({
  title,
  foot,
  focus = false,
  children,
}: {
  title: string;
  foot?: ReactNode;
  focus?: boolean;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(!focus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title means a new page
  useEffect(() => {
    if (!first.current) heading.current?.focus();
    first.current = false;
  }, [title]);
  return (
    <main className="door" id="main">
      <title>{title}</title>
      <div className="door__in">
        <div className="door__logo">
          <img src={wordmark} alt="Backboard" height="36" />
          <span className="tag">Venue console</span>
        </div>
        <div className="card">
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
          {children}
        </div>
        {foot && <p className="foot">{foot}</p>}
      </div>
    </main>
  );
}
