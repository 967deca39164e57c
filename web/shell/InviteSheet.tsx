import { type CSSProperties, useRef, useState } from 'react';
import { drawQr } from '#brand/qr.ts';
import { joinAddress } from '#contract/rules/addresses.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { teamName } from '../session/team.ts';
import { Button } from '../ui/Button.tsx';
import { copyText, SELECTED } from '../ui/copy.ts';
import { Marked } from '../ui/Marked.tsx';
import { Modal, useModal } from '../ui/Modal.tsx';
import styles from './Invite.module.css';

const PEOPLE =
  'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5a6.5 6.5 0 0 1 3.5 5.5';
const LINK =
  'M10 14a4.5 4.5 0 0 0 6.4 0l3-3a4.5 4.5 0 0 0-6.4-6.4l-1 1M14 10a4.5 4.5 0 0 0-6.4 0l-3 3a4.5 4.5 0 0 0 6.4 6.4l1-1';

type Shared = { invite: NonNullable<LeagueStats['invite']>; team: string };

const addressOf = (code: string) => `${window.location.origin}${joinAddress(code)}`;

/** Shares the link, or copies it where the browser cannot share (HAND-44). */
function Share({ invite, team }: Shared) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const shown = useRef<HTMLParagraphElement>(null);
  const text = `Play for ${team} in the ${invite.league}: ${addressOf(invite.code)}`;
  const canShare = typeof navigator.share === 'function';
  function share() {
    // Somebody who closes the phone's sheet has shared nothing.
    if (canShare) void navigator.share({ text }).catch(() => undefined);
    else void copyText(text, shown.current).then(setCopied);
  }
  return (
    <>
      {/* If the browser cannot copy, this text is selected (PROD-164). */}
      {!canShare && (
        <p ref={shown} className={styles.about}>
          {text}
        </p>
      )}
      <Button onClick={share}>
        <span aria-live="polite">
          {canShare
            ? 'Share the link'
            : copied === null
              ? 'Copy the link'
              : copied
                ? 'Copied'
                : SELECTED}
        </span>
      </Button>
    </>
  );
}

/** The code of the join page, full screen, for somebody nearby (HAND-44). */
function TeamCode({ invite, team, onClose }: Shared & { onClose: () => void }) {
  const { dialog, heading } = useModal();
  const { modules, path } = drawQr(addressOf(invite.code), 'medium');
  const half = invite.code.length / 2;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc and the button close it by keyboard
    <dialog
      ref={dialog}
      className={styles.show}
      aria-labelledby="team-code"
      onClick={onClose}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.top}>
        <h2 ref={heading} id="team-code" tabIndex={-1} className="display">
          Join us
        </h2>
        <button type="button" className={styles.back} aria-label="Back">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="m6 6 12 12M18 6 6 18" />
          </svg>
        </button>
      </div>
      <div className={styles.middle}>
        <p className={`display ${styles.team}`}>{team}</p>
        <svg
          viewBox={`0 0 ${modules} ${modules}`}
          role="img"
          aria-label="Code of the join page"
          // Each module is a whole number of device pixels wide.
          style={{ '--step': `${modules / window.devicePixelRatio}px` } as CSSProperties}
        >
          <path d={path} fill="currentColor" shapeRendering="crispEdges" />
        </svg>
        <p className={`display ${styles.letters}`}>
          {invite.code.slice(0, half)} {invite.code.slice(half)}
        </p>
        <p className={styles.quiet}>Scan it with a phone camera.</p>
        <p className={styles.quiet}>This is the team's code: it won't start a game.</p>
      </div>
      <p className={styles.foot}>Tap anywhere to go back</p>
    </dialog>
  );
}

/** Minors have no link to send. */
function inviteWords(open: boolean, adult: boolean, team: string): string {
  if (adult)
    return open
      ? `Anyone with the link can join **${team}** right away.`
      : `Anyone with the link can ask to join **${team}**. Staff say yes or no.`;
  return open
    ? `Anyone with the code can join **${team}** right away.`
    : `Anyone with the code can ask to join **${team}**. Staff say yes or no.`;
}

/** What the team's code does, and how to pass it on (HAND-44). Minors invite in person only. */
export function InviteSheet({
  invite,
  team: name,
  size,
  onClose,
}: Shared & { size: number; onClose: () => void }) {
  const { user } = useAuth();
  const [inPerson, setInPerson] = useState(false);
  const team = teamName(name);
  if (inPerson) return <TeamCode invite={invite} team={team} onClose={onClose} />;
  // A minor's `visibility_max` is `league` (ACC-61).
  const adult = user?.visibility_max === 'venue';
  const { free } = invite;
  const most = size + free;
  return (
    <Modal title="Invite a teammate" onClose={onClose}>
      <p className={styles.about}>
        <Marked text={inviteWords(invite.joining === 'open', adult, team)} />
      </p>
      <ul className={styles.facts}>
        <li>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={PEOPLE} />
          </svg>
          {free === 1 ? `1 place free, ${most} at most.` : `${free} places free, ${most} at most.`}
        </li>
        <li>
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d={LINK} />
          </svg>
          {adult
            ? 'The link stays good until the arcade makes a new code.'
            : 'The code stays good until the arcade makes a new one.'}
        </li>
      </ul>
      <div className={styles.buttons}>
        {adult && <Share invite={invite} team={team} />}
        <Button look={adult ? 'quiet' : 'primary'} onClick={() => setInPerson(true)}>
          Show a code, in person
        </Button>
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Modal>
  );
}
