import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Refusal } from '../errors.ts';
import { maskEmail } from '../log.ts';
import { coarseNetworkOf } from './limits.ts';

/** Every security event (P42), with its result and message, as in docs/operating.md. */
export const EVENTS = {
  check_email: ['ok', 'an address was checked'],
  registered: ['ok', 'an address was registered'],
  code_requested: ['ok', 'a code was requested'],
  code_refused: ['refused', 'a code was refused'],
  verified: ['ok', 'an address was verified'],
  signed_in: ['ok', 'signed in'],
  password_wrong: ['refused', 'a password was wrong'],
  signed_out: ['ok', 'signed out'],
  sessions_ended: ['ok', 'sessions were ended'],
  refresh_refused: ['refused', 'a refresh token was refused'],
  refresh_reuse: ['refused', 'a replaced refresh token was used again: its session is ended'],
  password_changed: ['ok', 'a password was set in the profile'],
  reset_requested: ['ok', 'a reset link was requested'],
  reset_refused: ['refused', 'a reset link was refused'],
  password_reset: ['ok', 'a password was reset'],
  google_linked: ['ok', 'Google was linked'],
  google_removed: ['ok', 'Google was removed'],
  google_refused: ['refused', 'a sign-in with Google was refused'],
  oidc_linked: ['ok', 'the other identity provider was linked'],
  oidc_removed: ['ok', 'the other identity provider was removed'],
  oidc_refused: ['refused', 'a sign-in with the other identity provider was refused'],
  code_replaced: ['ok', 'the code on the phone was replaced'],
  data_exported: ['ok', 'the data of a player was downloaded'],
  account_deleted: ['ok', 'an account was deleted'],
  email_changed: ['ok', 'an address was changed'],
  birthdate_changed: ['ok', 'a birth date was changed'],
  throttled: ['refused', 'a limit is used up'],
  player_blocked: ['ok', 'a player blocked another one'],
  push_device_added: ['ok', 'a device gets notifications'],
  push_device_removed: ['ok', 'a device gets no more notifications'],
  push_keys_rotated: ['ok', 'the key of notifications was replaced'],
  machine_added: ['ok', 'a machine was added'],
  machine_rotated: ['ok', 'a machine has a new key'],
  machine_key_stopped: ['ok', 'the old key of a machine was stopped'],
  machine_revoked: ['ok', 'a machine was revoked'],
  machine_refused: ['refused', 'a machine key was refused'],
  screen_added: ['ok', 'a screen was paired'],
  screen_removed: ['ok', 'a screen was removed'],
  operator_refused: ['refused', 'an operator key was refused'],
  staff_joined: ['ok', 'a link of staff was used'],
  staff_signed_in: ['ok', 'staff signed in'],
  passkey_refused: ['refused', 'a passkey was refused'],
  staff_refused: ['refused', 'a role of staff was too low'],
  staff_added: ['ok', 'staff were added'],
  staff_removed: ['ok', 'staff were removed'],
  game_corrected: ['ok', 'a game was corrected'],
  backup: ['ok', 'a backup is being made'],
  restore: ['ok', 'the database is being replaced by a backup'],
} as const satisfies Record<string, readonly ['ok' | 'refused', string]>;

/** The operator should look at these events, so they have the level `warn`. */
const ALARMING: ReadonlySet<keyof typeof EVENTS> = new Set([
  'refresh_reuse',
  'machine_refused',
  'operator_refused',
  'staff_added',
  'staff_removed',
  'machine_revoked',
  'email_changed',
  'birthdate_changed',
  'push_keys_rotated',
  'restore',
]);

/** Who caused an event, as far as known. */
export type Actor = {
  actor: 'player' | 'machine' | 'operator' | 'staff' | 'visitor';
  /** Who acts or is affected. */
  player?: number;
  machine?: number;
};

const actors = new WeakMap<FastifyRequest, Actor>();

/** Stores who calls, for `logThrottled`. */
export function setActor(request: FastifyRequest, actor: Actor): void {
  actors.set(request, actor);
}

/**
 * Logs a security event with its result, the caller's network (/24 or /48), and `about`, whose
 * `email` is masked (P42).
 */
export function logSecurity(
  caller: { ip: string; log: FastifyBaseLogger },
  event: keyof typeof EVENTS,
  about: Actor & { email?: string; reason?: string } & Record<string, unknown>,
): void {
  const [result, message] = EVENTS[event];
  const { email, ...rest } = about;
  const line = {
    event,
    result,
    network: coarseNetworkOf(caller.ip),
    ...rest,
    ...(email === undefined ? {} : { email: maskEmail(email) }),
  };
  caller.log[ALARMING.has(event) ? 'warn' : 'info'](line, message);
}

function emailIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('email' in body)) return undefined;
  return typeof body.email === 'string' ? body.email : undefined;
}

/** Logs a 429 and its limit (P42). */
export function logThrottled(request: FastifyRequest, { limit = 'unnamed' }: Refusal): void {
  const actor: Actor = actors.get(request) ?? { actor: 'visitor' };
  const email = actor.actor === 'visitor' ? emailIn(request.body) : undefined;
  logSecurity(request, 'throttled', {
    ...actor,
    ...(email === undefined ? {} : { email }),
    reason: limit,
    path: request.routeOptions.url,
  });
}
