import { useMutation, useQueryClient } from '@tanstack/react-query';
import { nudgeMate } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import styles from './Nudge.module.css';

/** Nudges a mate; pending until the table is read again. */
export function useNudge() {
  const { api } = useAuth();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => nudgeMate(api, username),
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.leagueStats }),
    meta: { failure: 'The nudge was not sent.' },
  });
}

type NudgeProps = { username: string; sent: boolean; send: ReturnType<typeof useNudge> };

/** The button under a mate's name while a game of theirs can turn the week (NUDGE-05). */
export function Nudge({ username, sent, send }: NudgeProps) {
  const name = username.toUpperCase();
  return (
    <button
      type="button"
      className={sent ? `${styles.pill} ${styles.sent}` : styles.pill}
      aria-label={sent ? `Nudged ${name} this week` : `Nudge ${name}`}
      aria-disabled={sent || send.isPending}
      onClick={() => {
        if (!sent && !send.isPending) send.mutate(username);
      }}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        {sent ? (
          <path d="m5 12.5 4.5 4.5L19 7.5" />
        ) : (
          <>
            <path d="M4.5 17h15l-1.9-2.9V10a5.6 5.6 0 0 0-11.2 0v4.1Z" />
            <circle cx="12" cy="20.8" r="2.4" />
          </>
        )}
      </svg>
      {sent ? 'Nudged' : 'Nudge'}
    </button>
  );
}
