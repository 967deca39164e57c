import type { useTeamRequest } from '../session/reads.ts';
import styles from './AskedTeam.module.css';
import { Failure } from './Failure.tsx';

/** "Asked to join …", and a button to withdraw (PROD-99). */
export function AskedTeam({ request, withdraw }: ReturnType<typeof useTeamRequest>) {
  if (request === null) return null;
  return (
    <>
      <p className={styles.asked}>
        Asked to join {request.team}{' '}
        <button
          type="button"
          className="textlink"
          aria-disabled={withdraw.isPending}
          onClick={() => {
            if (!withdraw.isPending) withdraw.mutate();
          }}
        >
          Cancel request
        </button>
      </p>
      {withdraw.error && <Failure error={withdraw.error} />}
    </>
  );
}
