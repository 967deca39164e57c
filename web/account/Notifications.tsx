import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { PushKind } from '#contract/rules/push.ts';
import type { User } from '#contract/wire/profile.ts';
import type { PushAnswer, PushDevice } from '#contract/wire/push.ts';
import { endPushDevice, patchPush, testPush } from '../api/calls.ts';
import { getPush } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { canPush, needsHomeScreen, permission, turnOff, turnOn } from '../session/push.ts';
import { Failure } from '../shell/Failure.tsx';
import { HomeScreenSteps } from '../shell/HomeScreenSteps.tsx';
import { Button } from '../ui/Button.tsx';
import { dayAndMonth } from '../ui/dates.ts';
import { Notice } from '../ui/Notice.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { tryToKeep } from '../ui/storage.ts';
import { clockTime, isSameDay } from '../ui/times.ts';
import account from './Account.module.css';
import {
  BlockedHere,
  Kinds,
  NONE_ON,
  NotificationsPanel,
  ThisDevice,
  UnderAge,
  WaitingRows,
} from './NotificationRows.tsx';
import styles from './Notifications.module.css';
import { PHONE } from './Sessions.tsx';
import who from './WhoSeesMyName.module.css';

const TESTED = 'tested';
/** After these answers nothing was saved: the browser refused, or a test was sent. */
const NOT_SAVED = ['denied', 'default', TESTED];

const sinceText = (at: Date, now: Date): string =>
  isSameDay(at, now) ? 'On since today' : `On since ${dayAndMonth(at, now)}`;
const seenText = (at: Date, now: Date): string =>
  isSameDay(at, now) ? `Seen today, ${clockTime(at)}` : `Seen ${dayAndMonth(at, now)}`;

/** Calls `changed` when the browser's permission may have changed. */
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

type Switch = { kind: PushKind; on: boolean };

function usePush() {
  const { api } = useAuth();
  const client = useQueryClient();
  const push = useQuery({
    queryKey: KEYS.push,
    queryFn: ({ signal }) => getPush(api, signal),
    meta: { failure: 'The notifications could not be read.' },
  });
  /** The switches as the server gave them last, without the changes on their way. */
  const stored = useRef<PushAnswer['kinds']>(undefined);
  /** The last failure of a series of changes, which a change after it does not hide. */
  const [error, setError] = useState<Error | null>(null);
  const draw = ({ kind, on }: Switch) =>
    client.setQueryData<PushAnswer>(
      KEYS.push,
      (now) => now && { ...now, kinds: { ...now.kinds, [kind]: on } },
    );
  const change = useMutation({
    mutationKey: KEYS.push,
    mutationFn: (work: Switch | (() => Promise<unknown>)): Promise<unknown> =>
      typeof work === 'function' ? work() : patchPush(api, { kinds: { [work.kind]: work.on } }),
    scope: { id: 'push' },
    onMutate: async (work) => {
      if (client.isMutating({ mutationKey: KEYS.push }) === 1) {
        setError(null);
        stored.current = client.getQueryData<PushAnswer>(KEYS.push)?.kinds;
      }
      if (typeof work === 'function') return;
      await client.cancelQueries({ queryKey: KEYS.push });
      draw(work);
    },
    onSuccess: (answer, work) => {
      if (typeof work !== 'function') stored.current = (answer as PushAnswer).kinds;
    },
    onError: (why, work) => {
      setError(why);
      if (typeof work !== 'function' && stored.current)
        draw({ ...work, on: stored.current[work.kind] });
    },
    onSettled: (_answer, _why, work) => {
      // Whether the player can offer duels.
      if (typeof work !== 'function' && work.kind === 'duel')
        void client.invalidateQueries({ queryKey: KEYS.duels });
      // An answer that the server gave before the next change would hide that change.
      return client.isMutating({ mutationKey: KEYS.push }) > 1
        ? undefined
        : client.invalidateQueries({ queryKey: KEYS.push });
    },
    meta: { failure: 'The notifications were not changed.' },
  });
  return { api, push, change, error };
}

type PushState = ReturnType<typeof usePush>;

type HereProps = {
  push: PushAnswer;
  /** Undefined while notifications are off on this device. */
  device: PushDevice | undefined;
  allowed: NotificationPermission;
  underAge: boolean;
  state: PushState;
};

/** The row of the device that the player is using. */
function Here({ push, device, allowed, underAge, state }: HereProps) {
  const { api, change } = state;
  const [steps, setSteps] = useState(false);
  const key = push.public_key ?? '';
  const { mutate } = change;
  useEffect(() => {
    // For a player under age, only a tap turns notifications on (PUSH-20).
    if (underAge) return;
    if (allowed === 'denied') tryToKeep(sessionStorage, BLOCKED_KEY, 'yes');
    else if (allowed === 'granted' && sessionStorage.getItem(BLOCKED_KEY) !== null) {
      sessionStorage.removeItem(BLOCKED_KEY);
      mutate(() => turnOn(api, key));
    }
  }, [allowed, underAge, api, key, mutate]);
  if (allowed === 'denied') return <BlockedHere underAge={underAge} />;
  return (
    <ThisDevice
      isOn={device !== undefined}
      state={device ? sinceText(new Date(device.since), serverDate()) : 'Off'}
    >
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
    </ThisDevice>
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

type ContentProps = {
  user: User;
  push: PushAnswer;
  state: PushState;
  heading: RefObject<HTMLHeadingElement | null>;
};

function Content({ user, push, state, heading }: ContentProps) {
  const { api, change, error } = state;
  const allowed = useSyncExternalStore(watchPermission, permission);
  const underAge = push.locked.length > 0;
  const others = push.devices.filter(({ current }) => !current);
  // Notifications that the browser blocks are off, even before the server knows.
  const device = allowed === 'granted' ? push.devices.find(({ current }) => current) : undefined;
  const isOn = device !== undefined || others.length > 0;
  return (
    <>
      {underAge && <UnderAge />}
      <Here {...{ push, device, allowed, underAge, state }} />
      <Kinds
        user={user}
        underAge={underAge}
        locked={push.locked}
        values={push.kinds}
        onChange={(kind, on) => change.mutate({ kind, on })}
      />
      {error && (
        <div className={who.failure}>
          <Failure error={error} />
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
        <p className={styles.none}>{NONE_ON}</p>
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
                onEnd={() =>
                  change.mutate(async () => {
                    await endPushDevice(api, device.id);
                    heading.current?.focus();
                  })
                }
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
  const heading = useRef<HTMLHeadingElement>(null);
  // The operator has turned notifications off, or no SECRET_KEY decrypts the key pair.
  if (data?.public_key === null) return null;
  return (
    <NotificationsPanel
      saved={isSuccess && state.error === null && !NOT_SAVED.includes(String(answer))}
      heading={heading}
    >
      {isPending && <WaitingRows user={user} />}
      {data && <Content user={user} push={data} state={state} heading={heading} />}
      {error && !data && (
        <div className={account.notes}>
          <Failure error={error} />
          <Button look="quiet" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
    </NotificationsPanel>
  );
}

/** The Notifications panel: this device, the switches, other devices (PUSH-30). */
export function Notifications({ user }: { user: User }) {
  return canPush() ? <OfThisBrowser user={user} /> : null;
}
