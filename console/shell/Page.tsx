import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from '../router.tsx';
import { BackIcon } from '../ui/Icon.tsx';
import { useBall } from './ball.ts';

/**
 * Focuses the heading after a navigation. On every page, the document's title begins with the
 * number in the ball of the Tonight tab, such as “(3) Inbox” (PROD-165).
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
  /** Something to show beside the heading, such as a jersey. */
  mark?: ReactNode;
  back?: { to: string; name: string };
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { loaded } = useLocation();
  const number = useBall();
  useEffect(() => {
    if (!loaded) heading.current?.focus({ preventScroll: true });
  }, [loaded]);
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
