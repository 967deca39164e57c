import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Failed } from '../ui/Notice.tsx';

/** A read faster than this shows no skeleton. */
const SKELETON_AFTER_MS = 200;

/** Boxes in place of content, at the first load only. `what`: what screen readers hear. */
export function Skeleton({ what, lines = 4 }: { what: string; lines?: number }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!shown) return null;
  return (
    <>
      <p className="sr" role="status">
        Loading {what}
      </p>
      <div className="panel" aria-hidden="true">
        <span className="sk sk--move" style={{ width: '9rem', height: 22 }} />
        {Array.from({ length: lines }, (_, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the boxes never change
            key={at}
            className="sk mt4"
            style={{ width: `${92 - ((at * 17) % 40)}%`, height: 16 }}
          />
        ))}
      </div>
    </>
  );
}

/**
 * The content of a read: a skeleton while it loads for the first time, the error in place if it
 * fails, and otherwise the last state, also while it is read again or the server is away.
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
