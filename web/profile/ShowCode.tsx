import {
  type CSSProperties,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import type { User } from '#contract/wire/profile.ts';
import { navigate, useLocation } from '../router.tsx';
import { SHOW_CODE } from '../shell/ToProfile.tsx';
import { useSlip } from '../slip/SlipProvider.tsx';
import { CODE_MODULES, PlayerCode } from '../ui/PlayerCode.tsx';
import { ModeWords } from './QrCode.tsx';
import styles from './ShowCode.module.css';
import type { Mode } from './team.ts';

/**
 * Whether the code is full screen, and how to show and hide it. It has its own history entry, so
 * that the back button closes it and a reload keeps it.
 */
export function useShownCode(): { shown: boolean; show: () => void; hide: () => void } {
  const { path, state } = useLocation();
  const shown = typeof state === 'object' && state !== null && 'code' in state;
  return {
    shown,
    show: () => navigate(path, { state: SHOW_CODE }),
    hide: () => window.history.back(),
  };
}

/** Keeps the screen awake while mounted, if the browser can. */
function useScreenAwake() {
  useEffect(() => {
    if (!('wakeLock' in navigator)) return;
    let held: Promise<WakeLockSentinel | undefined> = Promise.resolve(undefined);
    const release = () => void held.then((lock) => lock?.release());
    function hold() {
      // The browser releases a hidden page's lock.
      if (document.visibilityState !== 'visible') return;
      release();
      // Browsers may refuse, for example when the battery is low.
      held = navigator.wakeLock.request('screen').catch(() => undefined);
    }
    hold();
    document.addEventListener('visibilitychange', hold);
    return () => {
      document.removeEventListener('visibilitychange', hold);
      release();
    };
  }, []);
}

function onResize(listener: () => void) {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

function usePixelRatio(): number {
  return useSyncExternalStore(onResize, () => window.devicePixelRatio);
}

type ShowCodeProps = {
  user: User;
  mode: Mode;
  counts: string;
  /** The element that gets the focus when the code closes, even after a reload. */
  opener: RefObject<HTMLElement | null>;
  onClose: () => void;
};

/** The code full screen, without the e-mail (PROD-33, LOOK-50). */
export function ShowCode({ user, mode, counts, opener, onClose }: ShowCodeProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const name = useRef<HTMLHeadingElement>(null);
  const nameId = useId();
  const leaving = useRef(false);
  const ratio = usePixelRatio();
  useScreenAwake();
  useLayoutEffect(() => {
    const element = dialog.current;
    // Focus the opener first: the browser returns the focus there when the dialog closes.
    opener.current?.focus({ preventScroll: true });
    element?.showModal();
    name.current?.focus();
    return () => element?.close();
  }, [opener]);

  const { slip, putAway } = useSlip();
  const back = useRef<HTMLButtonElement>(null);
  /** The first tap or Esc puts the slip away, the next one closes the page (HAND-09). */
  function tap() {
    if (slip === null) return close();
    putAway();
    back.current?.focus();
  }
  function close() {
    // A second `history.back` would leave the profile.
    if (leaving.current) return;
    leaving.current = true;
    onClose();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc and the button close it by keyboard
    <dialog
      ref={dialog}
      className={styles.show}
      aria-labelledby={nameId}
      data-slip={slip !== null}
      onClick={(event) => (back.current?.contains(event.target as Node) ? close() : tap())}
      onCancel={(event) => {
        event.preventDefault();
        tap();
      }}
    >
      {/* While this dialog is open, readers do not hear what is outside it (HAND-21). */}
      <p className="sr" role="status">
        {slip?.parts.announcement(slip)}
      </p>
      <div className={styles.top}>
        <h1 ref={name} id={nameId} tabIndex={-1} className="display">
          {user.username}
        </h1>
        <button ref={back} type="button" className={styles.back} aria-label="Back to profile">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m6 6 12 12M18 6 6 18" />
          </svg>
        </button>
      </div>
      {slip !== null && <slip.parts.CodeSlip key={slip.madeAt} slip={slip} />}
      <div
        className={styles.middle}
        data-league={mode === 'on'}
        // The CSS rounds the code's side down to a multiple of this step, so that each module is a
        // whole number of device pixels wide.
        style={{ '--step': `${CODE_MODULES / ratio}px` } as CSSProperties}
      >
        {slip === null && <ModeWords mode={mode} />}
        <PlayerCode uuid={user.uuid} />
        {slip !== null && <ModeWords mode={mode} />}
        <p className={styles.counts}>
          {slip ? <slip.parts.Lead slip={slip} instead={counts} /> : counts}
        </p>
      </div>
      <div className={styles.foot}>
        {slip === null && (
          <p className={styles.bright}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <circle cx="12" cy="12" r="4.2" />
              <path d="M12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M4.9 19.1l1.8-1.8M17.3 6.7l1.8-1.8" />
            </svg>
            Hard to scan? Turn the brightness up.
          </p>
        )}
        <p>{slip === null ? 'Tap anywhere to go back' : 'Tap to clear the score'}</p>
      </div>
    </dialog>
  );
}
