import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from '../router.tsx';
import { BackIcon } from '../ui/Icon.tsx';
import { useCounts } from './counts.ts';

/**
 * Focuses the heading after a navigation. The document's title begins with the number of machines
 * that need a hand and of cases in the inbox: “(3) Tonight” (PROD-165).
 */
export function Page({
  title,
  about,
  mark,
  back,
  actions,
  children,
}: {
  title: string;
  about?: ReactNode;
  /** Beside the heading, such as a jersey. */
  mark?: ReactNode;
  back?: { to: string; name: string };
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { loaded } = useLocation();
  const { hands, inbox } = useCounts();
  useEffect(() => {
    if (!loaded) heading.current?.focus({ preventScroll: true });
  }, [loaded]);
  const number = (hands?.number ?? 0) + (inbox?.number ?? 0);
  return (
    <>
      <title>{number > 0 ? `(${number}) ${title}` : title}</title>
      {back && (
        <Link className="back" to={back.to}>
          <BackIcon />
          {back.name}
        </Link>
      )}
      <div className="top">
        <div className={mark ? 'idhead' : undefined}>
          {mark}
          <div>
            <h1 tabIndex={-1} ref={heading}>
              {title}
            </h1>
            {about !== undefined && <p>{about}</p>}
          </div>
        </div>
        {actions && <div className="top__acts">{actions}</div>}
      </div>
      {children}
    </>
  );
}
