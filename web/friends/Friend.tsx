import { useEffect, useRef } from 'react';
import { FRIEND_CODE_DEAD, FRIEND_CODE_S } from '#contract/rules/friends.ts';
import { ApiError } from '../api/client.ts';
import { JerseyOf } from '../avatar/JerseyOf.tsx';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { useFriends } from '../session/own-lists.ts';
import { Failure } from '../shell/Failure.tsx';
import { LiveQueries } from '../shell/LiveQueries.tsx';
import { usePaintedTheme } from '../shell/theme.ts';
import { Board } from '../ui/Board.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { titled } from '../ui/brand.ts';
import { Marked } from '../ui/Marked.tsx';
import { Column, Page, Wordmark } from '../ui/Page.tsx';
import { serverNow } from '../ui/server-clock.ts';
import { useMinutesLeft, WHAT_FRIENDS_SEE } from './AddFriend.tsx';
import styles from './Friend.module.css';
import { useFriendActions, useOpened } from './queries.ts';

/** Shows the same sentence for every code that does not work (FRIEND-04). */
function Dead() {
  return (
    <>
      <h1 className={`display ${styles.name}`} tabIndex={-1}>
        Ask for a new code
      </h1>
      <p className="lead">{FRIEND_CODE_DEAD}</p>
      <Link className={buttonClass('primary')} to="/friends">
        To my friends
      </Link>
    </>
  );
}

function Card({ code }: { code: string }) {
  usePaintedTheme();
  const heading = useRef<HTMLHeadingElement>(null);
  const opened = useOpened(code);
  const { ask } = useFriendActions();
  const asked = ask.isSuccess;
  const friends = useFriends(asked);
  const since = useRef(serverNow());
  const ends = new Date(since.current + FRIEND_CODE_S * 1_000).toISOString();
  const left = useMinutesLeft(ends);
  const who = opened.data;
  useEffect(() => {
    if (who) heading.current?.focus({ preventScroll: true });
  }, [who]);
  if (opened.isError) return <Failed error={opened.error} again={() => void opened.refetch()} />;
  if (who === undefined) return <p role="status">Opening the code …</p>;
  const { username } = who;
  const name = username?.toUpperCase() ?? '';
  const isFriend = friends.data?.results.some((one) => one.username === username) ?? false;
  if (left === 0 && !isFriend) return <Dead />;
  return (
    <>
      <p className={styles.over}>{isFriend ? 'You are friends' : 'Standing beside you?'}</p>
      <div className={styles.who}>
        <JerseyOf {...who} />
      </div>
      <h1 ref={heading} className={`display ${styles.name}`} tabIndex={-1}>
        {name}
      </h1>
      <p className={styles.about}>
        <Marked text={WHAT_FRIENDS_SEE} />
      </p>
      {ask.isError && <Failure error={ask.error} />}
      <div role="status" className={styles.state}>
        {isFriend ? (
          <Link className={buttonClass('primary')} to="/friends">
            To my friends
          </Link>
        ) : asked ? (
          'Waiting for a yes'
        ) : null}
      </div>
      {!isFriend && asked && (
        <>
          <p className={styles.note}>
            For {left} min at most, on the page with the code or in Friends. Without a yes nothing
            happens. You can leave this page.
          </p>
          <Link className={`${buttonClass('quiet')} ${styles.leave}`} to="/friends">
            To my friends
          </Link>
        </>
      )}
      {!isFriend && !asked && (
        <>
          <Button aria-disabled={ask.isPending} onClick={() => ask.mutate(code)}>
            Ask {name}
          </Button>
          <p className={styles.note}>{name} says yes on the other phone.</p>
        </>
      )}
    </>
  );
}

function Failed({ error, again }: { error: unknown; again: () => void }) {
  const status = error instanceof ApiError ? error.status : null;
  if (status === 400) return <Dead />;
  // Too many wrong codes (FRIEND-12).
  if (status === 429)
    return (
      <>
        <h1 className={`display ${styles.name}`} tabIndex={-1}>
          Turn it round
        </h1>
        <p className="lead">
          Too many codes did not work here, so none opens for up to an hour. Show your own code, and
          let your friend open it.
        </p>
        <Link className={buttonClass('primary')} to="/friends/add">
          Show my code
        </Link>
      </>
    );
  return (
    <>
      <Failure error={error} />
      <Button onClick={again}>Try again</Button>
    </>
  );
}

/** Signing in leads back here; until then nobody's name is shown. */
function Visitor({ code }: { code: string }) {
  const back = { returnTo: `/friend/${code}` };
  return (
    <>
      <h1 className={`display ${styles.name}`} tabIndex={-1}>
        Add a friend
      </h1>
      <p className="lead">Sign in first. Then you see whose code this is.</p>
      <Link className={buttonClass('primary')} to="/login" state={back}>
        Sign in
      </Link>
      <Link className={`${buttonClass('quiet')} ${styles.leave}`} to="/signup" state={back}>
        Create account
      </Link>
    </>
  );
}

/** The page of the code that a friend shows (FRIEND-03). */
export function Friend({ code }: { code: string }) {
  const { hasAccess } = useAuth();
  return (
    <Page>
      <title>{titled('Add a friend')}</title>
      <Column className={styles.page}>
        <div className={styles.logo}>
          <Link to="/">
            <Wordmark height={40} />
          </Link>
        </div>
        <Board>
          {hasAccess ? (
            <LiveQueries>
              <Card code={code} />
            </LiveQueries>
          ) : (
            <Visitor code={code} />
          )}
        </Board>
      </Column>
    </Page>
  );
}
