import type { ReactNode } from 'react';
import { ReadFailure, type ReadFailureProps } from './ReadFailure.tsx';

type LoadedProps<Data> = ReadFailureProps & {
  /** The data; undefined until known, null if there is nothing to show. */
  data: Data | null | undefined;
  waiting: boolean;
  skeleton: ReactNode;
  empty?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Shows a skeleton, the failure, the empty page, or the data. */
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
