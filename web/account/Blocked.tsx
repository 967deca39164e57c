import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import { getBlocked, unblock } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import styles from './Account.module.css';

/** The players whom this player has blocked; nothing if there are none (FRIEND-10). */
export function Blocked() {
  const { api } = useAuth();
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: KEYS.blocked,
    queryFn: ({ signal }) => getBlocked(api, signal),
    meta: { failure: 'The blocked players could not be read.' },
  });
  const [lifted, setLifted] = useState<string | null>(null);
  const lift = useMutation({
    mutationFn: ({ n }: { n: string; name: string }) => unblock(api, n),
    onSuccess: (_, { name }) => setLifted(name),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.blocked }),
    meta: { failure: 'The block was not lifted.' },
  });
  if (!data || (data.results.length === 0 && lifted === null)) return null;
  return (
    <Panel title="Blocked">
      <div className={styles.body}>
        <Notice>
          {lifted && `${lifted} is unblocked. You are not friends: meet to add each other again.`}
        </Notice>
        {data.results.length > 0 && <p>You cannot become friends with them. They are not told.</p>}
        <ul className={styles.blocked}>
          {data.results.map(({ n, username }) => {
            const name = username?.toUpperCase() ?? A_PLAYER;
            return (
              <li key={n}>
                <b>{name}</b>
                <button
                  type="button"
                  className="textlink"
                  aria-label={`Unblock ${name}`}
                  onClick={() => lift.mutate({ n, name })}
                >
                  Unblock
                </button>
              </li>
            );
          })}
        </ul>
        {lift.isError && <Failure error={lift.error} />}
      </div>
    </Panel>
  );
}
