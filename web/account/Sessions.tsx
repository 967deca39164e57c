import { useRef, useState } from 'react';
import type { SignedInSession } from '#contract/wire/accounts.ts';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { dayAndMonth } from '../ui/dates.ts';
import { useDelayed } from '../ui/delayed.ts';
import { Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { clockTime, dayBefore, isSameDay } from '../ui/times.ts';
import styles from './Account.module.css';
import { useEndSessions, useSessions } from './queries.ts';

export const PHONE =
  'M9.5 2.5h5A2.5 2.5 0 0 1 17 5v14a2.5 2.5 0 0 1-2.5 2.5h-5A2.5 2.5 0 0 1 7 19V5a2.5 2.5 0 0 1 2.5-2.5ZM11 18.5h2';
const COMPUTER =
  'M6.5 5h11a2 2 0 0 1 2 2v6.5a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM2.5 19h19';

export function deviceOf(client: string): 'phone' | 'tablet' | 'computer' | 'device' {
  if (/\b(Android|iPhone)$/.test(client)) return 'phone';
  if (/\biPad$/.test(client)) return 'tablet';
  return / on \w+$/.test(client) ? 'computer' : 'device';
}

/** The day of a session's last use; also the time if it was today or yesterday. */
export function usedText(at: Date, now: Date): string {
  if (isSameDay(at, now)) return `Used today, ${clockTime(at)}`;
  if (isSameDay(at, dayBefore(now))) return `Used yesterday, ${clockTime(at)}`;
  return `Used ${dayAndMonth(at, now)}`;
}

type SessionRowProps = { session: SignedInSession; onEnd: () => void };

function SessionRow({ session: { client, current, last_used_at }, onEnd }: SessionRowProps) {
  const device = deviceOf(client);
  return (
    <li>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={device === 'computer' ? COMPUTER : PHONE} />
      </svg>
      <div>
        <b>{client}</b>
        <small>
          {current ? `This ${device}, now` : usedText(new Date(last_used_at), serverDate())}
        </small>
      </div>
      {!current && (
        <button
          type="button"
          className={`textlink ${styles.end}`}
          aria-label={`Sign out ${client}`}
          onClick={onEnd}
        >
          Sign out
        </button>
      )}
    </li>
  );
}

/** Where the player is signed in (PROD-54). */
export function Sessions() {
  const sessions = useSessions();
  const end = useEndSessions();
  const waiting = useDelayed(sessions.isPending);
  const heading = useRef<HTMLHeadingElement>(null);
  const [note, setNote] = useState<string | null>(null);
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  const failure = end.error ?? (sessions.data ? null : sessions.error);

  function endOf(which: SignedInSession | 'others', done: string) {
    if (end.isPending) return;
    setNote(null);
    end.mutate(which, {
      onSuccess: () => {
        heading.current?.focus();
        setNote(done);
      },
    });
  }

  return (
    <Panel title="Where I am signed in" heading={heading}>
      <div className={styles.body}>
        {waiting || sessions.isPending ? (
          <div className={styles.waiting}>
            {waiting && (
              <>
                <div role="status" className="sr">
                  Loading
                </div>
                <Skeleton height="4rem" />
              </>
            )}
          </div>
        ) : (
          <ul className={styles.sessions}>
            {sessions.data?.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnd={() => endOf(session, `Signed out ${session.client}.`)}
              />
            ))}
          </ul>
        )}
        <div className={styles.notes}>
          {failure && <Failure error={failure} />}
          <Notice>{note}</Notice>
        </div>
        {others.length > 0 && (
          <Button
            look="quiet"
            aria-disabled={end.isPending}
            onClick={() =>
              endOf(
                'others',
                `Signed out ${others.length} ${others.length === 1 ? 'other' : 'others'}.`,
              )
            }
          >
            Sign out all others
          </Button>
        )}
        {sessions.isError && !sessions.data && (
          <Button look="quiet" onClick={() => void sessions.refetch()}>
            Try again
          </Button>
        )}
      </div>
    </Panel>
  );
}
