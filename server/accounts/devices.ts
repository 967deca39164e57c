import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { type Caller, callerOf, DEVICES_COOKIE } from '../http/caller.ts';
import { usesTls } from '../http/headers.ts';
import { hmac, keysFor } from '../keys.ts';

/*
 * Device tokens (P79d): a browser in which somebody signed in keeps a token for that account. The
 * token only gives the browser its own tries, which strangers cannot use up.
 */

const LIFE_S = 180 * 24 * 3600;
/** A browser keeps tokens for at most this many accounts; the oldest is dropped first. */
const TOKENS_MAX = 8;
const MAC_BYTES = 16;
const TOKEN = /^([\w-]{22})\.([0-9a-z]{1,9})\.([\w-]{22})$/;

type DeviceDeps = Pick<Deps, 'config' | 'clock'>;

const tokensIn = (cookie: string | undefined): string[] =>
  cookie?.split('~').slice(0, TOKENS_MAX) ?? [];

function seals({ config }: DeviceDeps, email: string, id: string, made: string): Buffer[] {
  return keysFor(config, 'devices').map((key) => hmac(key, email, id, made).subarray(0, MAC_BYTES));
}

/** The id of a valid token for the account with this address, or null. */
function readToken(deps: DeviceDeps, email: string, token: string): string | null {
  const [, id, made, seal] = TOKEN.exec(token) ?? [];
  if (id === undefined || made === undefined || seal === undefined) return null;
  const age_s = deps.clock.now().getTime() / 1000 - Number.parseInt(made, 36);
  const sent = Buffer.from(seal, 'base64url');
  const genuine = seals(deps, email, id, made).some((own) => timingSafeEqual(own, sent));
  return genuine && age_s < LIFE_S ? id : null;
}

/** The id of the caller's device, if it has signed in to the account with this address. */
export function deviceOf(
  deps: DeviceDeps,
  { devices }: Pick<Caller, 'devices'>,
  email: string,
): string | null {
  for (const token of tokensIn(devices)) {
    const id = readToken(deps, email, token);
    if (id !== null) return id;
  }
  return null;
}

/** Gives the browser a new token for the account that it has just signed in to. */
export function rememberDevice(
  deps: DeviceDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { email }: { email: string },
): void {
  const id = randomBytes(16).toString('base64url');
  const made = Math.floor(deps.clock.now().getTime() / 1000).toString(36);
  const [seal = Buffer.alloc(0)] = seals(deps, email, id, made);
  const others = tokensIn(callerOf(request).devices).filter(
    (token) => TOKEN.test(token) && readToken(deps, email, token) === null,
  );
  const value = [`${id}.${made}.${seal.toString('base64url')}`, ...others].slice(0, TOKENS_MAX);
  const secure = usesTls(deps.config) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${DEVICES_COOKIE}=${value.join('~')}; Path=/api/users/; HttpOnly; SameSite=Strict; Max-Age=${LIFE_S}${secure}`,
  );
}
