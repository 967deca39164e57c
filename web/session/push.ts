import type { DeviceBody, PushAnswer } from '#contract/wire/push.ts';
import { endPushDevice, putPushDevice } from '../api/calls.ts';
import { ApiError, type Client, Told } from '../api/client.ts';
import { installWorker } from '../offline/install.ts';
import { serverNow } from '../ui/server-clock.ts';
import { tryToKeep } from '../ui/storage.ts';
import type { VisitKey } from './session.ts';
import { unsubscribe } from './unsubscribe.ts';

/*
 * Notifications in this browser (PUSH-30 to PUSH-36). Loaded only to ask about them, or when they
 * are on.
 */

/** The language that the app speaks. */
const LOCALE = 'en';
/**
 * What was last told to the server, and when. A sign-in and Sign Out remove it, so a subscription
 * without it may be another player's.
 */
const TOLD_KEY: VisitKey = 'push';
/** After this time, the server is told again. */
const TOLD_FOR_MS = 24 * 3_600_000;

/** iPhone and iPad show notifications only of apps on the home screen (PUSH-34). */
export const needsHomeScreen = (): boolean =>
  'standalone' in navigator && navigator.standalone === false;

/** Whether this browser can show notifications, here or from the home screen. */
export const canPush = (): boolean =>
  window.isSecureContext &&
  (needsHomeScreen() ||
    ('PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window));

/** What the player has answered the browser; `default` if it has not asked yet. */
export const permission = (): NotificationPermission =>
  'Notification' in window ? Notification.permission : 'default';

const bytesOf = (base64url: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );

function isOurs({ options }: PushSubscription, key: string): boolean {
  const own = bytesOf(key);
  const theirs = new Uint8Array(options.applicationServerKey ?? []);
  return own.length === theirs.length && own.every((byte, at) => byte === theirs[at]);
}

async function manager(): Promise<PushManager> {
  // Without a worker, `ready` never settles.
  await installWorker();
  return (await navigator.serviceWorker.ready).pushManager;
}

async function subscribe(key: string): Promise<PushSubscription> {
  return (await manager()).subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
}

const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Whether the player has tapped, or which endpoint the server was told of before (PUSH-33). */
type How = Pick<DeviceBody, 'by_tap' | 'former'>;

async function tell(api: Client, subscription: PushSubscription, how: How): Promise<void> {
  const { endpoint, keys = {} } = subscription.toJSON();
  const zone = zoneHere();
  const { p256dh = '', auth = '' } = keys;
  const keyed = { endpoint: endpoint ?? '', p256dh, auth };
  await putPushDevice(api, { ...keyed, locale: LOCALE, zone, ...how });
  tryToKeep(localStorage, TOLD_KEY, `${endpoint} ${zone} ${serverNow()}`);
}

const readTold = () => localStorage.getItem(TOLD_KEY)?.split(' ') ?? [];

function isTold({ endpoint }: PushSubscription): boolean {
  const [address, zone, at] = readTold();
  return address === endpoint && zone === zoneHere() && serverNow() - Number(at) < TOLD_FOR_MS;
}

/** A browser that reaches no push service may never answer. */
const SUBSCRIBE_MS = 20_000;
const CANNOT_SUBSCRIBE =
  'This browser could not turn notifications on. Try again with a better signal, and not in a private window.';

/** @throws Told when the browser refuses, or does not answer in time */
async function subscribeInTime(key: string): Promise<PushSubscription> {
  const late = new Promise<never>((_, fail) => setTimeout(fail, SUBSCRIBE_MS));
  try {
    return await Promise.race([subscribe(key), late]);
  } catch {
    throw new Told(CANNOT_SUBSCRIBE);
  }
}

/**
 * Asks the browser, which asks the player, and turns notifications on. Unless they are allowed
 * already, call this from a tap, before anything is awaited (PUSH-31). Returns the browser's
 * answer.
 * @throws Told when the browser cannot
 */
export async function turnOn(api: Client, key: string): Promise<NotificationPermission> {
  const answer = permission() === 'granted' ? 'granted' : await Notification.requestPermission();
  if (answer === 'granted') await tell(api, await subscribeInTime(key), { by_tap: true });
  return answer;
}

async function leave(): Promise<void> {
  localStorage.removeItem(TOLD_KEY);
  await unsubscribe().catch(() => undefined);
}

/** Turns notifications off in this browser. */
export async function turnOff(api: Client, id: string): Promise<void> {
  await endPushDevice(api, id);
  await leave();
}

/**
 * At each start of the app, updates the server's device to match this browser (PUSH-33). If
 * this session has neither a subscription nor a device, the player has turned notifications off
 * here, and they stay off. A subscription without a device is registered again, because a push
 * service may have wrongly called it gone (P78); the server refuses one that was turned off
 * elsewhere, and it ends.
 */
export async function followBrowser(api: Client, push: PushAnswer): Promise<void> {
  const device = push.devices.find(({ current }) => current);
  if (permission() === 'denied') {
    if (device) await endPushDevice(api, device.id, 'denied');
    return;
  }
  if (permission() !== 'granted' || push.public_key === null) return;
  let subscription = await (await manager()).getSubscription();
  if (subscription === null && device === undefined) return;
  // A new subscription that could not be told has another endpoint than the one told of.
  const former = readTold()[0] ?? subscription?.endpoint;
  const isOwn = device !== undefined || localStorage.getItem(TOLD_KEY) !== null;
  if (!isOwn && push.locked.length > 0) {
    // Perhaps an adult has left it. Under age, only the player's tap turns notifications on (P73).
    await subscription?.unsubscribe();
    return;
  }
  if (subscription !== null && !isOurs(subscription, push.public_key)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await subscribe(push.public_key);
  if (device !== undefined && isTold(subscription)) return;
  await tell(api, subscription, { former }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 409) return leave();
    throw error;
  });
}
