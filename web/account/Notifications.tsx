import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import type { PushKind } from '#contract/rules/push.ts';
import { adultFrom } from '#contract/rules/visibility.ts';
import type { User } from '#contract/wire/profile.ts';
import type { PushAnswer, PushDevice } from '#contract/wire/push.ts';
import { endPushDevice, getPush, patchPush, testPush } from '../api/calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { canPush, needsHomeScreen, permission, turnOff, turnOn } from '../session/push.ts';
import { Failure } from '../shell/Failure.tsx';
import { HomeScreenSteps } from '../shell/HomeScreenSteps.tsx';
import { useAdultAge } from '../shell/who-sees.ts';
import { Button } from '../ui/Button.tsx';
import { clockTime, dayAndMonth, isSameDay, longDay } from '../ui/dates.ts';
import { Notice } from '../ui/Notice.tsx';
import { Panel } from '../ui/Panel.tsx';
import { Saved } from '../ui/Saved.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import toggle from '../ui/Switch.module.css';
import { serverDate } from '../ui/server-clock.ts';
import { tryToKeep } from '../ui/storage.ts';
import account from './Account.module.css';
import styles from './Notifications.module.css';
import { PHONE } from './Sessions.tsx';
import who from './WhoSeesMyName.module.css';

/** The switches, in their order (PUSH-01). Only what is told has one. */
export const SWITCHES: readonly { kind: PushKind; name: string; text: string; child?: string }[] = [
  { kind: 'my_game', name: 'My games', text: 'One came late, was held, released or taken out.' },
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
    child: 'Offers of team mates, and how they end. Off: none.',
  },
  {
    kind: 'passed',
    name: 'Passed',
    text: 'Somebody goes past you on the week’s board.',
  },
];

const TESTED = 'tested';
/** Answers of the browser when nothing was turned on, and of the test. */
const NOT_SAVED = ['denied', 'default', TESTED];

const sinceText = (at: Date, now: Date): string =>
  isSameDay(at, now) ? 'On since today' : `On since ${dayAndMonth(at, now)}`;
const seenText = (at: Date, now: Date): string =>
  isSameDay(at, now) ? `Seen today, ${clockTime(at)}` : `Seen ${dayAndMonth(at, now)}`;

function Bell() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <path d="M5 17.5h14l-1.8-2.8v-4.4a5.2 5.2 0 0 0-10.4 0v4.4ZM10 20.5h4M4 3l16 18" />
    </svg>
  );
}

/** Calls `changed` when the settings of the browser may have. */
function watchPermission(changed: () => void): () => void {
  let status: PermissionStatus | undefined;
  navigator.permissions?.query({ name: 'notifications' }).then(
    (found) => {
      status = found;
      found.addEventListener('change', changed);
    },
    () => undefined,
  );
  document.addEventListener('visibilitychange', changed);
  return () => {
    status?.removeEventListener('change', changed);
    document.removeEventListener('visibilitychange', changed);
  };
}

/** Marks that this tab has sent the player to the browser's settings. Sign Out removes it. */
const BLOCKED_KEY = 'push_blocked';

/** Why nothing can be turned on here: the browser's no is changed in the browser only. */
function Blocked({ underAge }: { underAge: boolean }) {
  return (
    <p className={who.why}>
      <Bell />
      <span>
        Your browser blocks notifications from Backboard. Open the settings of this site in your
        browser, allow notifications, and come back
        {underAge ? ' to turn them on.' : '. Nothing else has to be done.'}
      </span>
    </p>
  );
}

function usePush() {
  const { api } = useAuth();
  const client = useQueryClient();
  const push = useQuery({
    queryKey: KEYS.push,
    queryFn: ({ signal }) => getPush(api, signal),
    meta: { failure: 'The notifications could not be read.' },
  });
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    scope: { id: 'push' },
    onSettled: () => client.invalidateQueries({ queryKey: KEYS.push }),
    meta: { failure: 'The notifications were not changed.' },
  });
  return { api, push, change };
}

type PushState = ReturnType<typeof usePush>;

type HereProps = {
  push: PushAnswer;
  /** undefined if it is off. */
  device: PushDevice | undefined;
  allowed: NotificationPermission;
  underAge: boolean;
  state: PushState;
};

/** The device in hand. */
function Here({ push, device, allowed, underAge, state }: HereProps) {
  const { api, change } = state;
  const [steps, setSteps] = useState(false);
  const key = push.public_key ?? '';
  const { mutate } = change;
  useEffect(() => {
    // Under age, only a tap turns them on (PUSH-20).
    if (underAge) return;
    if (allowed === 'denied') tryToKeep(sessionStorage, BLOCKED_KEY, 'yes');
    else if (allowed === 'granted' && sessionStorage.getItem(BLOCKED_KEY) !== null) {
      sessionStorage.removeItem(BLOCKED_KEY);
      mutate(() => turnOn(api, key));
    }
  }, [allowed, underAge, api, key, mutate]);
  if (allowed === 'denied') return <Blocked underAge={underAge} />;
  return (
    <div className={device ? styles.here : `${styles.here} ${styles.off}`}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={PHONE} />
      </svg>
      <p>
        <b>This phone</b>
        <small>{device ? sinceText(new Date(device.since), serverDate()) : 'Off'}</small>
      </p>
      <button
        type="button"
        className="textlink"
        aria-disabled={change.isPending}
        onClick={() => {
          if (change.isPending) return;
          if (needsHomeScreen()) return setSteps(true);
          mutate(() => (device ? turnOff(api, device.id) : turnOn(api, key)));
        }}
      >
        {device ? 'Turn off' : 'Turn on'}
      </button>
      {steps && <HomeScreenSteps from="push" onClose={() => setSteps(false)} />}
    </div>
  );
}

function Kinds({ user, push, state }: { user: User; push: PushAnswer; state: PushState }) {
  const id = useId();
  const age = useAdultAge();
  const { api, change } = state;
  const [kinds, setKinds] = useState<Partial<Record<PushKind, boolean>>>({});
  const underAge = push.locked.length > 0;
  return (
    <ul className={styles.switches}>
      {SWITCHES.map(({ kind, name, text, child = text }) => {
        const locked = push.locked.includes(kind);
        const from = user.date_of_birth === null ? '' : longDay(adultFrom(user.date_of_birth, age));
        return (
          <li key={kind}>
            <label className={locked ? `${styles.row} ${styles.locked}` : styles.row}>
              <span>
                <b>{name}</b>
                <small id={`${id}${kind}`}>
                  {locked ? `From ${from}.` : underAge ? child : text}
                </small>
              </span>
              <input
                type="checkbox"
                role="switch"
                className={toggle.switch}
                aria-label={name}
                aria-describedby={`${id}${kind}`}
                disabled={locked}
                aria-checked={kinds[kind] ?? push.kinds[kind]}
                checked={kinds[kind] ?? push.kinds[kind]}
                onChange={({ target }) => {
                  const { checked } = target;
                  setKinds({ ...kinds, [kind]: checked });
                  change.mutate(() => patchPush(api, { kinds: { [kind]: checked } }), {
                    onError: () => setKinds({ ...kinds, [kind]: !checked }),
                  });
                }}
              />
            </label>
          </li>
        );
      })}
    </ul>
  );
}

function Other({ device, onEnd }: { device: PushDevice; onEnd: () => void }) {
  return (
    <li>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={PHONE} />
      </svg>
      <div>
        <b>{device.client}</b>
        <small>{seenText(new Date(device.seen_at), serverDate())}</small>
      </div>
      <button
        type="button"
        className={`textlink ${account.end}`}
        aria-label={`Turn off on ${device.client}`}
        onClick={onEnd}
      >
        Turn off
      </button>
    </li>
  );
}

function Content({ user, push, state }: { user: User; push: PushAnswer; state: PushState }) {
  const { api, change } = state;
  const age = useAdultAge();
  const allowed = useSyncExternalStore(watchPermission, permission);
  const underAge = push.locked.length > 0;
  const others = push.devices.filter(({ current }) => !current);
  // What the browser blocks is off, also before the server knows.
  const device = allowed === 'granted' ? push.devices.find(({ current }) => current) : undefined;
  const isOn = device !== undefined || others.length > 0;
  return (
    <>
      {underAge && (
        <p className={who.why}>
          <Bell />
          <span>
            You are under {age}, so all of this starts off. If you like, ask a parent before you
            turn something on.
          </span>
        </p>
      )}
      <Here {...{ push, device, allowed, underAge, state }} />
      <Kinds user={user} push={push} state={state} />
      {change.isError && (
        <div className={who.failure}>
          <Failure error={change.error} />
        </div>
      )}
      {isOn ? (
        <Button
          look="quiet"
          aria-disabled={change.isPending}
          onClick={() => change.mutate(() => testPush(api).then(() => TESTED))}
        >
          Send me a test
        </Button>
      ) : (
        <p className={styles.none}>The choices hold for all your devices. None of them is on.</p>
      )}
      <Notice>{change.data === TESTED ? 'A test is on its way to your devices.' : null}</Notice>
      {others.length > 0 && (
        <>
          <h3 className={styles.also}>Also on</h3>
          <ul className={account.sessions}>
            {others.map((device) => (
              <Other
                key={device.id}
                device={device}
                onEnd={() => change.mutate(() => endPushDevice(api, device.id))}
              />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function OfThisBrowser({ user }: { user: User }) {
  const state = usePush();
  const { data, isPending, error, refetch } = state.push;
  const { isSuccess, data: answer } = state.change;
  // Turned off by the operator.
  if (data?.public_key === null) return null;
  return (
    <Panel
      title="Notifications"
      aside={<Saved shown={isSuccess && !NOT_SAVED.includes(String(answer))} />}
    >
      <p className={who.about}>
        A tap on the shoulder when something of yours happens. Three a day at most, never between
        21:00 and 09:00.
      </p>
      {isPending && <Skeleton height="16rem" />}
      {data && <Content user={user} push={data} state={state} />}
      {error && !data && (
        <div className={account.notes}>
          <Failure error={error} />
          <Button look="quiet" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
    </Panel>
  );
}

/** Notifications: this device, what is told, other devices (PUSH-30). */
export function Notifications({ user }: { user: User }) {
  return canPush() ? <OfThisBrowser user={user} /> : null;
}
