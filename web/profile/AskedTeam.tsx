import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getTeamRequest, withdrawTeamRequest } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import styles from './TeamStats.module.css';

/** The team that the player has asked to join, and a button to withdraw (PROD-99). */
export function AskedTeam() {
  const { api } = useAuth();
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: KEYS.teamRequest,
    queryFn: ({ signal }) => getTeamRequest(api, signal),
    meta: { failure: 'The request to join a team could not be read.', movedBy: ['profile'] },
  });
  const withdraw = useMutation({
    mutationFn: () => withdrawTeamRequest(api),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.teamRequest }),
    meta: { failure: 'The request was not taken back.' },
  });
  if (!data?.request) return null;
  return (
    <section className={styles.panel} aria-labelledby="team-stats">
      <h2 id="team-stats" className="display">
        Team Stats (Weekly)
      </h2>
      <p className={styles.asked}>
        Asked to join {data.request.team}{' '}
        <button
          type="button"
          className="textlink"
          aria-disabled={withdraw.isPending}
          onClick={() => {
            if (!withdraw.isPending) withdraw.mutate();
          }}
        >
          Take it back
        </button>
      </p>
    </section>
  );
}
