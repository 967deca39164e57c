import { type CSSProperties, useEffect, useRef } from 'react';
import { drawQr } from '#brand/qr.ts';
import type { FriendCode } from '#contract/wire/friends.ts';
import type { Named } from '#contract/wire/leagues.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { Link, navigate } from '../router.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Button } from '../ui/Button.tsx';
import { titled } from '../ui/brand.ts';
import { Marked } from '../ui/Marked.tsx';
import { Modal, ModalButtons } from '../ui/Modal.tsx';
import { Column } from '../ui/Page.tsx';
import { useServerTime } from '../ui/server-time.ts';
import styles from './AddFriend.module.css';
import { useAsked, useFriendActions, useShownCode } from './queries.ts';

export const WHAT_FRIENDS_SEE =
  "Friends see each other's name, jersey, scores and this week's best game. **Never where or when you play.**";

/** Whole minutes until an instant, 0 once it is over; updated while the page is open. */
export function useMinutesLeft(until: string | undefined): number | null {
  const now = useServerTime(1_000);
  return until === undefined ? null : Math.max(0, Math.ceil((Date.parse(until) - now) / 60_000));
}

function Asks({ who, expires_at }: { who: Named; expires_at: string }) {
  const { answer } = useFriendActions();
  const { username } = who;
  const name = username?.toUpperCase() ?? '';
  const send = async (yes: boolean, block = false) => {
    if (answer.isPending) return;
    try {
      await answer.mutateAsync({ yes, block, expires_at });
    } catch {
      // The sheet shows the error.
      return;
    }
    // A callback of `mutate` would not be called, because the sheet is gone by now.
    if (yes) navigate('/friends', { replace: true });
  };
  return (
    <div className={styles.asks}>
      <Modal title={`${name} asks to be your friend`} onClose={() => send(false)}>
        <div className={styles.who}>
          <JerseyOf {...who} />
        </div>
        <p className={styles.about}>
          <Marked text={WHAT_FRIENDS_SEE} />
        </p>
        {answer.isError && <Failure error={answer.error} />}
        <ModalButtons>
          <Button look="quiet" aria-disabled={answer.isPending} onClick={() => send(false)}>
            No
          </Button>
          <Button aria-disabled={answer.isPending} onClick={() => send(true)}>
            Yes
          </Button>
        </ModalButtons>
        <button type="button" className="textlink" onClick={() => send(false, true)}>
          Block {name}
        </button>
      </Modal>
    </div>
  );
}

function Code({ shown: { code, expires_at } }: { shown: FriendCode }) {
  const left = useMinutesLeft(expires_at) ?? 0;
  const { modules, path } = drawQr(`${window.location.origin}/friend/${code}`, 'medium');
  if (left === 0) return <p className={styles.see}>This code has ended. Make a new one.</p>;
  return (
    <>
      <p className={styles.see}>
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d="M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6Z" />
          <circle cx="12" cy="12" r="2.6" />
        </svg>
        <span>
          <Marked
            text={`Somebody who scans this may see your name and jersey for the next **${left} min**.`}
          />
        </span>
      </p>
      <svg
        className={styles.qr}
        viewBox={`0 0 ${modules} ${modules}`}
        role="img"
        aria-label="Code for a friend to scan"
        style={{ '--step': `${modules / window.devicePixelRatio}px` } as CSSProperties}
      >
        <path d={path} fill="currentColor" shapeRendering="crispEdges" />
      </svg>
      <p className={`display ${styles.letters}`}>
        <span className="sr">Code: </span>
        {code.slice(0, 4)} {code.slice(4)}
      </p>
    </>
  );
}

/** The question of the player who has scanned the valid code; empty until then (FRIEND-03). */
export function Question() {
  const { data: code } = useShownCode(false);
  const left = useMinutesLeft(code?.expires_at);
  const { data } = useAsked(left === 0 ? undefined : code);
  const who = data?.asked_by;
  return who ? <Asks who={who} expires_at={data.expires_at} /> : null;
}

/** The code to show to a friend nearby, and that friend's question (FRIEND-02, FRIEND-03). */
export function AddFriend() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const code = useShownCode();
  const left = useMinutesLeft(code.data?.expires_at);
  return (
    <Column className={styles.show}>
      <title>{titled('Add a friend')}</title>
      <div className={styles.top}>
        <h1 ref={heading} className="display" tabIndex={-1}>
          Add a friend
        </h1>
        <Link className={styles.close} to="/friends" aria-label="Close">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m6 6 12 12M18 6 6 18" />
          </svg>
        </Link>
      </div>
      <div className={styles.middle}>
        {code.isError && <Failure error={code.error} />}
        {code.data && <Code shown={code.data} />}
        {(left === 0 || code.isError) && (
          <Button aria-disabled={code.isFetching} onClick={() => void code.refetch()}>
            New code
          </Button>
        )}
      </div>
      <p className={styles.foot}>
        Your friend scans it or types the code.
        <small>Then you say yes. It works once.</small>
      </p>
      <Question />
    </Column>
  );
}
