import type { ReactNode } from 'react';
import { ReadFailure, type ReadFailureProps } from './ReadFailure.tsx';

type LoadedProps<Data> = ReadFailureProps & {
  /** What the query read: undefined while that is not known, null when there is nothing to show. */
  data: Data | null | undefined;
  /** The read has lasted long enough to show boxes (`useDelayed`). */
  waiting: boolean;
  /** Grey boxes in the places of what is being read. */
  skeleton: ReactNode;
  /** Shown for null. */
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** What a page shows of a query: boxes, why it failed, that there is nothing yet, or the data. */
export function Loaded<Data>({
  data,
  waiting,
  skeleton,
  empty,
  children,
  ...failure
}: LoadedProps<Data>) {
  if (waiting)
    return (
      <>
        <div role="status" className="sr">
          Loading
        </div>
        {skeleton}
      </>
    );
  if (data === undefined) return failure.query.isError && <ReadFailure {...failure} />;
  return data === null ? empty : children(data);
}
