import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { joinAddress } from '#contract/rules/addresses.ts';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { JoinPage } from '#contract/wire/teams.ts';
import { GreyJersey, Jersey } from '../avatar/Jersey.tsx';
import { Link } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Marked } from '../ui/Marked.tsx';
import { NameBreaks } from '../ui/NameBreaks.tsx';
import notice from '../ui/Notice.module.css';
import { serverDate } from '../ui/server-clock.ts';
import styles from './Join.module.css';
import type { useJoining } from './queries.ts';
import { askedAt, factsOf, noticeOf, OVER, type State, stateOf, termsOf } from './words.ts';

const SHIELD = 'M12 3.5 5 6v5.5c0 4.4 2.9 7.4 7 9 4.1-1.6 7-4.6 7-9V6Z';
const FLAG = 'M6 21V4M6 5h12l-3 4 3 4H6';
const CLOCK = 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16ZM12 7.5V12l3 2';

function Said({ icon, live, children }: { icon: string; live?: boolean; children: ReactNode }) {
  return (
    <div
      className={`${notice.notice} ${notice.good} ${styles.said}`}
      role={live ? 'status' : undefined}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={icon} />
      </svg>
      <p>{children}</p>
    </div>
  );
}

function Facts({ page }: { page: JoinPage }) {
  return (
    <dl className={styles.facts}>
      {factsOf(page).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Members({ members, size, max }: JoinPage) {
  const free = max - size;
  const longest = Math.max(...members.map(({ username }) => username?.length ?? 0), 0);
  return (
    <ul
      className={styles.mates}
      style={{ '--longest': longest } as CSSProperties}
      aria-label="On the team"
    >
      {members.map(({ username, avatar_color, jersey_number }, at) => (
        <li key={username ?? at}>
          <span aria-hidden="true">
            {username === null ? (
              <GreyJersey />
            ) : (
              <Jersey
                username={username}
                color={avatar_color ?? ''}
                number={jersey_number ?? ''}
                small
              />
            )}
          </span>
          <p>
            <NameBreaks name={username?.toUpperCase() ?? A_PLAYER} />
          </p>
        </li>
      ))}
      {free > 0 && (
        <li className={styles.free}>
          <span aria-hidden="true">?</span>
          {free === 1 ? 'Free' : `${free} free`}
        </li>
      )}
    </ul>
  );
}

/** A visitor's links to sign up or in, which lead back to this page (PROD-95). */
function VisitorActions({ state, code }: { state: State; code: string }) {
  const back = { returnTo: joinAddress(code) };
  if (state === 'closed' || state === 'full')
    return (
      <Link to="/login" state={back} className={buttonClass('primary')}>
        Sign in
      </Link>
    );
  return (
    <>
      <p className={styles.note}>
        You see the names when you are on the team. Sign up or sign in, and you come back here.
      </p>
      <div className={styles.buttons}>
        <Link to="/signup" state={back} className={buttonClass('primary')}>
          Create account and join
        </Link>
        <Link to="/login" state={back} className={buttonClass('quiet')}>
          Sign in
        </Link>
      </div>
    </>
  );
}

type Joining = ReturnType<typeof useJoining>;

const ToProfile = () => (
  <Link to="/profile" className={buttonClass('primary')}>
    To my profile
  </Link>
);

function PlayerActions({
  page,
  state,
  code,
  username,
  joining: { join, withdraw },
}: {
  page: JoinPage;
  state: State;
  code: string;
  username: string;
  joining: Joining;
}) {
  const { logout } = useAuth();
  switch (state) {
    case 'open':
    case 'ask':
      return (
        <>
          <p className={styles.note}>
            <Marked text={termsOf(state, page)} />
          </p>
          {page.other_request !== null && (
            <p className={styles.note}>
              You have asked to join {page.other_request}. This cancels that request.
            </p>
          )}
          <Button
            aria-disabled={join.isPending}
            onClick={() => {
              if (!join.isPending) join.mutate();
            }}
          >
            {state === 'open' ? 'Join' : 'Ask to join'} {page.team}
          </Button>
          <p className={styles.switch}>
            Signed in as {username.toUpperCase()}.{' '}
            <button type="button" className="textlink" onClick={() => logout(joinAddress(code))}>
              Not you?
            </button>
          </p>
        </>
      );
    case 'asked':
      return (
        <>
          <p className={styles.note}>
            {page.asked_at !== null && askedAt(new Date(page.asked_at), serverDate())} Until then
            your games count for you alone.
          </p>
          <Button
            look="quiet"
            aria-disabled={withdraw.isPending}
            onClick={() => {
              if (!withdraw.isPending) withdraw.mutate();
            }}
          >
            Cancel request
          </Button>
          <p className={styles.switch}>
            <Link to="/profile" className="textlink">
              To my profile
            </Link>
          </p>
        </>
      );
    case 'member':
      return (
        <>
          <p className={styles.note}>
            <Marked text={termsOf(state, page)} />
          </p>
          <ToProfile />
        </>
      );
    case 'other':
      return (
        <p className={styles.switch}>
          <Link to="/profile" className="textlink">
            Stay with {page.other_team}
          </Link>
        </p>
      );
    case 'full':
      return <ToProfile />;
    case 'closed':
      return (
        <>
          <p className={styles.note}>
            You can play any machine meanwhile: your games count for you.
          </p>
          <ToProfile />
        </>
      );
  }
}

const LISTED: State[] = ['open', 'ask', 'other', 'full', 'member'];
const WITH_FACTS: State[] = ['open', 'ask', 'other', 'member'];

/** A team's card, as this caller sees it (PROD-94, PROD-95). */
export function Team({ page, code, joining }: { page: JoinPage; code: string; joining: Joining }) {
  const { user, hasAccess } = useAuth();
  const heading = useRef<HTMLHeadingElement>(null);
  const state = stateOf(page);
  const shown = useRef<State | null>(null);
  // The heading takes the focus on arrival, and when a new state removes the pressed button.
  useEffect(() => {
    const first = shown.current === null;
    shown.current = state;
    if (first || document.activeElement === document.body) heading.current?.focus();
  }, [state]);
  const failed = joining.join.error ?? joining.withdraw.error;
  return (
    <>
      <p className={styles.over}>{OVER[state]}</p>
      <h1 ref={heading} className={`display ${styles.team}`} tabIndex={-1}>
        {page.team}
      </h1>
      <p className="lead">{page.league}</p>
      {WITH_FACTS.includes(state) && <Facts page={page} />}
      {LISTED.includes(state) && <Members {...page} />}
      {state === 'other' && (
        <Said icon={FLAG}>
          You are on <strong>{page.other_team}</strong>. The venue moves players between teams.
        </Said>
      )}
      {(state === 'asked' || state === 'full' || state === 'closed') && (
        <Said icon={state === 'asked' ? CLOCK : SHIELD} live={state === 'asked'}>
          {noticeOf(state, page)}
        </Said>
      )}
      {failed && <Failure error={failed} />}
      {hasAccess && user !== null ? (
        <PlayerActions
          page={page}
          state={state}
          code={code}
          username={user.username}
          joining={joining}
        />
      ) : (
        <VisitorActions state={state} code={code} />
      )}
    </>
  );
}
