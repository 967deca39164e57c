import { lazy, useEffect, useState } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { exportProfile } from '../api/calls.ts';
import { ApiError } from '../api/client.ts';
import { Link, type Location, navigate, Redirect, useLocation } from '../router.tsx';
import { useAuth } from '../session/AuthProvider.tsx';
import { Failure } from '../shell/Failure.tsx';
import { Later } from '../shell/Later.tsx';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { PanelPage } from '../ui/PanelPage.tsx';
import styles from './Account.module.css';
import { Blocked } from './Blocked.tsx';
import { DeleteAccount } from './DeleteAccount.tsx';
import { NewCode } from './NewCode.tsx';
import { NotificationsSkeleton } from './NotificationRows.tsx';
import { Sessions } from './Sessions.tsx';
import { type LinkReturn, linkReturnAt, SignInMethods } from './SignInMethods.tsx';
import { ThisPhone } from './ThisPhone.tsx';
import { WhoSeesMyName } from './WhoSeesMyName.tsx';

// Lazy, so that other pages, such as /login, do not name its files.
const Notifications = lazy(() =>
  import('./Notifications.tsx').then((m) => ({ default: m.Notifications })),
);

const FILE = 'backboard-export.json';
const DOWNLOAD_TAKEN_MS = 60_000;

function save(content: unknown): void {
  const blob = new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = FILE;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_TAKEN_MS);
}

/** Downloads the player's data (P30d). */
function Download() {
  const { api, signInAgain } = useAuth();
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [note, setNote] = useState<string | null>(null);
  // 403: the sign-in is more than an hour old (ACC-27).
  const isTooOld = failure instanceof ApiError && failure.status === 403;

  async function download() {
    if (asking) return;
    setAsking(true);
    setFailure(null);
    setNote(null);
    try {
      save(await exportProfile(api));
      setNote(`Downloaded as ${FILE}.`);
    } catch (error) {
      setFailure(error);
    }
    setAsking(false);
  }

  return (
    <>
      <div className={styles.notes}>
        {failure !== null && <Failure error={failure} />}
        <Notice>{note}</Notice>
      </div>
      {isTooOld ? (
        <Button look="quiet" onClick={() => signInAgain('/account')}>
          Sign in again
        </Button>
      ) : (
        <Button look="quiet" aria-disabled={asking} onClick={() => void download()}>
          <svg className={styles.line} viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 4v11m-5-4.5 5 5 5-5M4 20h16" />
          </svg>
          Download my data
        </Button>
      )}
    </>
  );
}

type Dialog =
  | { dialog: 'new-code' }
  /**
   * `returned`: whether the player has come back from a provider. `problem`: why that sign-in
   * failed, or null.
   */
  | { dialog: 'delete'; returned: boolean; problem: string | null };

/**
 * The dialog for an address, or null. The spare card links to `?new-code`; a provider returns to
 * `?delete`.
 */
function dialogAt({ query, state }: Location): Dialog | null {
  if (query === '?new-code') return { dialog: 'new-code' };
  if (query !== '?delete') return null;
  const failed = typeof state === 'object' && state !== null && 'error' in state;
  return { dialog: 'delete', returned: true, problem: failed ? String(state.error) : null };
}

function AccountOf({ user }: { user: User }) {
  const location = useLocation();
  const [asked] = useState(dialogAt(location));
  const [linkReturn] = useState<LinkReturn | null>(linkReturnAt(location.query, location.state));
  const [open, setOpen] = useState<Dialog | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const close = () => setOpen(null);

  // Open the dialog after the heading has the focus, so that closing it returns the focus there.
  // Replace the address, so that neither reload nor Back opens the dialog again.
  useEffect(() => {
    setOpen(asked);
    if (asked !== null || linkReturn !== null) navigate('/account', { replace: true });
  }, [asked, linkReturn]);

  return (
    <PanelPage title="Account" lead={<span className={styles.email}>{user.email}</span>}>
      <WhoSeesMyName user={user} />
      <Later waiting={<NotificationsSkeleton user={user} />}>
        <Notifications user={user} />
      </Later>
      <ThisPhone />
      <Blocked />
      <Sessions />
      <SignInMethods user={user} returned={linkReturn} />
      <Panel title="My code">
        <div className={styles.body}>
          <p>A card for your wallet, for days when the phone is flat.</p>
          <Link className={buttonClass('quiet')} to="/card">
            Print spare card
          </Link>
          <p className={styles.small}>
            Lost your card, or someone plays as you? A new code stops the old one at once, on every
            machine and on printed cards. Your games stay.
          </p>
          <div className={styles.notes}>
            <Notice>{note}</Notice>
          </div>
          <Button
            look="quiet"
            onClick={() => {
              setNote(null);
              setOpen({ dialog: 'new-code' });
            }}
          >
            Get a new code
          </Button>
        </div>
      </Panel>
      <Panel title="My data">
        <div className={styles.body}>
          <p>Everything we keep about you, in one file.</p>
          <Download />
          <p className={styles.small}>Deleting cannot be undone.</p>
          <Button
            look="quiet"
            onClick={() => setOpen({ dialog: 'delete', returned: false, problem: null })}
          >
            Delete my account
          </Button>
        </div>
      </Panel>
      {open?.dialog === 'new-code' && (
        <NewCode
          onClose={close}
          onDone={() => {
            close();
            setNote('You have a new code. Print a new card if you use one.');
          }}
        />
      )}
      {open?.dialog === 'delete' && <DeleteAccount user={user} onClose={close} {...open} />}
    </PanelPage>
  );
}

/** The Account page (PROD-54). */
export function Account() {
  const { user } = useAuth();
  // Without a stored user, go to the profile, which reads the user.
  return user === null ? <Redirect to="/profile" /> : <AccountOf user={user} />;
}
