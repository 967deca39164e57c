import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Failed } from '../ui/Notice.tsx';

/** The skeleton appears after this time, so that a fast answer shows none. */
const SKELETON_AFTER_MS = 200;

/** Grey boxes in place of loading content. Screen readers announce “Loading” and `what`. */
export function Skeleton({ what, lines = 4 }: { what: string; lines?: number }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <p className="sr" role="status">
        {shown && `Loading ${what}`}
      </p>
      {shown && (
        <div className="panel" aria-hidden="true">
          <span className="sk sk--move" />
          {Array.from({ length: lines }, (_, at) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the boxes never change
              key={at}
              className="sk mt4"
              style={{ width: `${92 - ((at * 17) % 40)}%` }}
            />
          ))}
        </div>
      )}
    </>
  );
}

/**
 * Shows a query's data with `children`; before that, a skeleton or the error. Later errors do not
 * hide the data.
 */
export function Loaded<T>({
  read,
  what,
  lines,
  children,
}: {
  read: UseQueryResult<T>;
  what: string;
  lines?: number;
  children: (value: T) => ReactNode;
}) {
  if (read.data !== undefined) return children(read.data);
  if (read.isError)
    return (
      <Failed what={`Cannot show ${what}`} error={read.error} onAgain={() => void read.refetch()} />
    );
  return <Skeleton what={what} {...(lines === undefined ? {} : { lines })} />;
}
