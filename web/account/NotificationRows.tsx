import { type ReactNode, type Ref, useId } from 'react';
import { adultFrom } from '#contract/rules/of-age.ts';
import { LOCKED_UNDER_AGE, type PushKind } from '#contract/rules/push.ts';
import type { User } from '#contract/wire/profile.ts';
import { canPush, permission } from '../session/push.ts';
import { useAdultAge } from '../shell/who-sees.ts';
import { buttonClass } from '../ui/Button.tsx';
import { brand } from '../ui/brand.ts';
import { longDay } from '../ui/months.ts';
import { Panel } from '../ui/Panel.tsx';
import { Saved } from '../ui/Saved.tsx';
import toggle from '../ui/Switch.module.css';
import styles from './Notifications.module.css';
import { PHONE } from './Sessions.tsx';
import who from './WhoSeesMyName.module.css';

/*
 * The rows of the Notifications panel. Its skeleton has the same rows and words, so that both have
 * the same height at every width and text size.
 */

/** The switches, in the order of PUSH-01. Only kinds that are sent have one. */
const SWITCHES: readonly { kind: PushKind; name: string; text: string; child?: string }[] = [
  {
    kind: 'my_game',
    name: 'My games',
    text: 'One came late, was held, released or taken out.',
  },
  { kind: 'my_week', name: 'My week', text: 'How your team’s week ended.' },
  {
    kind: 'nudge',
    name: 'Nudges',
    text: 'A game of yours can still turn the week. Once a week.',
  },
  {
    kind: 'duel',
    name: 'Duels',
    text: 'Offers, and how they end. Off: nobody can offer you one.',
    child: 'Offers of teammates, and how they end. Off: none.',
  },
  {
    kind: 'passed',
    name: 'Passed',
    text: 'Somebody goes past you on the week’s board.',
  },
];

export const NONE_ON = 'The choices hold for all your devices. None of them is on.';

/** The panel around the rows. `saved`: whether a choice has just been saved. */
export function NotificationsPanel({
  saved = false,
  heading,
  children,
}: {
  saved?: boolean;
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}) {
  return (
    <Panel title="Notifications" aside={<Saved shown={saved} />} {...(heading && { heading })}>
      <p className={who.about}>
        A tap on the shoulder when something of yours happens. Three a day at most, never between
        21:00 and 09:00.
      </p>
      {children}
    </Panel>
  );
}

function Why({ children }: { children: ReactNode }) {
  return (
    <p className={who.why}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 17.5h14l-1.8-2.8v-4.4a5.2 5.2 0 0 0-10.4 0v4.4ZM10 20.5h4M4 3l16 18" />
      </svg>
      <span>{children}</span>
    </p>
  );
}

export function UnderAge() {
  return (
    <Why>
      You are under {useAdultAge()}, so all of this starts off, and nobody can nudge you. Only
      teammates can offer you a duel. If you like, ask a parent before you turn something on.
    </Why>
  );
}

/** Says that only the browser's settings can allow the blocked notifications. */
export function BlockedHere({ underAge }: { underAge: boolean }) {
  return (
    <Why>
      Your browser blocks notifications from {brand}. Open the settings of this site in your
      browser, allow notifications, and come back
      {underAge ? ' to turn them on.' : '. Nothing else has to be done.'}
    </Why>
  );
}

/** The row of this device. `state`: "On since today". */
export function ThisDevice({
  isOn,
  state,
  children,
}: {
  isOn: boolean;
  state: string;
  children: ReactNode;
}) {
  return (
    <div className={isOn ? styles.here : `${styles.here} ${styles.off}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={PHONE} />
      </svg>
      <p>
        <b>This phone</b>
        <small>{state}</small>
      </p>
      {children}
    </div>
  );
}

type KindsProps = {
  user: User;
  underAge: boolean;
  locked: readonly PushKind[];
  /** Undefined until the choices are known. */
  values?: Record<PushKind, boolean>;
  onChange?: (kind: PushKind, on: boolean) => void;
};

export function Kinds({ user, underAge, locked, values, onChange }: KindsProps) {
  const id = useId();
  const age = useAdultAge();
  return (
    <ul className={styles.switches}>
      {SWITCHES.map(({ kind, name, text, child = text }) => {
        const isLocked = locked.includes(kind);
        const from = user.date_of_birth === null ? '' : longDay(adultFrom(user.date_of_birth, age));
        return (
          <li key={kind}>
            <label className={isLocked ? `${styles.row} ${styles.locked}` : styles.row}>
              <span>
                <b>{name}</b>
                <small id={`${id}${kind}`}>
                  {isLocked ? `From ${from}.` : underAge ? child : text}
                </small>
              </span>
              <input
                type="checkbox"
                role="switch"
                className={toggle.switch}
                aria-label={name}
                aria-describedby={`${id}${kind}`}
                disabled={isLocked}
                aria-checked={values?.[kind] ?? false}
                checked={values?.[kind] ?? false}
                onChange={({ target }) => onChange?.(kind, target.checked)}
              />
            </label>
          </li>
        );
      })}
    </ul>
  );
}

/** The panel's rows while its script and the choices load. Only the switches' names are visible. */
export function WaitingRows({ user }: { user: User }) {
  const underAge = user.visibility_max === 'league';
  return (
    <div className={styles.waiting} inert aria-hidden="true">
      {underAge && <UnderAge />}
      {permission() === 'denied' ? (
        <BlockedHere underAge={underAge} />
      ) : (
        <ThisDevice isOn={false} state="Off">
          <span className="textlink">Turn on</span>
        </ThisDevice>
      )}
      <Kinds user={user} underAge={underAge} locked={underAge ? LOCKED_UNDER_AGE : []} />
      {permission() === 'granted' ? (
        <span className={buttonClass('quiet')}>Send me a test</span>
      ) : (
        <p className={styles.none}>{NONE_ON}</p>
      )}
    </div>
  );
}

/** The panel while its script loads. */
export const NotificationsSkeleton = ({ user }: { user: User }) =>
  canPush() ? (
    <NotificationsPanel>
      <WaitingRows user={user} />
    </NotificationsPanel>
  ) : null;
