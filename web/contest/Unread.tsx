import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { Empty } from '../ui/PanelPage.tsx';
import styles from './Contest.module.css';
import type { useContest } from './queries.ts';

/** What stands in place of a contest that is unknown or could not be read. */
export function Unread({ query }: { query: ReturnType<typeof useContest> }) {
  if (query.data === null)
    return (
      <Empty title="No such contest" text="The code may be mistyped, or the contest is gone." />
    );
  if (query.error === null) return null;
  return (
    <div className={styles.unread}>
      <Failure error={query.error} />
      <Button onClick={() => void query.refetch()}>Try again</Button>
    </div>
  );
}
