import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Work } from '#contract/rules/work.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { Refusal } from '../errors.ts';
import { hmac, keysFor } from '../keys.ts';
import { ANONYMOUS_RETRY_S, RATE_LIMITS } from '../rate-limits.ts';
import type { Caller } from './caller.ts';
import {
  charge,
  chargePaid,
  type Limit,
  type LimitDeps,
  networkOf,
  type UsedUp,
} from './limits.ts';

/*
 * Work in place of a refusal (P79c). A network's exhausted limit refuses nobody who sends a proof
 * of work: a salt, sealed for one call, address and network, and a nonce that takes seconds to
 * find.
 */

type WorkDeps = { config: Pick<Config, 'secret_keys' | 'work_bits'>; clock: Clock };
type Visitor = Pick<Caller, 'ip' | 'call' | 'work'>;
type VisitorDeps = WorkDeps & LimitDeps;

const LIFE_S = RATE_LIMITS.work.seconds;
/** Each time a network's use doubles, its work doubles too, at most twice (P79c). */
const GROWTH_MAX_BITS = 2;
const MAC_BYTES = 16;
const PROOF = /^(([\w-]{11})\.([0-9a-z]{1,9})\.(\d{1,2}))\.([\w-]{22}):(\d{1,10})$/;

function seals(deps: WorkDeps, { call, ip }: Visitor, about: string, text: string): Buffer[] {
  return keysFor(deps.config, 'work').map((key) =>
    hmac(key, call, about, networkOf(ip), text).subarray(0, MAC_BYTES),
  );
}

/** `load`: how many times over its limit the network is. */
function askWork(deps: WorkDeps, visitor: Visitor, about: string, load: number): Work {
  const growth = Math.min(Math.floor(Math.log2(Math.max(load, 1))), GROWTH_MAX_BITS);
  const bits = deps.config.work_bits + growth;
  const expires_s = Math.floor(deps.clock.now().getTime() / 1000) + LIFE_S;
  const text = `${randomBytes(8).toString('base64url')}.${expires_s.toString(36)}.${bits}`;
  const [seal = Buffer.alloc(0)] = seals(deps, visitor, about, text);
  return {
    salt: `${text}.${seal.toString('base64url')}`,
    bits,
    expires_at: new Date(expires_s * 1000).toISOString(),
  };
}

/** The random part of a call's valid proof, or null. Costs no statement. */
function provenSalt(deps: WorkDeps, visitor: Visitor, about: string): string | null {
  const [proof, text = '', random = '', expires = '', bits = '', seal = ''] =
    PROOF.exec(visitor.work ?? '') ?? [];
  if (proof === undefined) return null;
  const left_s = Number.parseInt(expires, 36) - deps.clock.now().getTime() / 1000;
  // A proof that lives longer than a new one was made before the clock was set back (REL-15).
  if (left_s <= 0 || left_s > LIFE_S + 1) return null;
  const sent = Buffer.from(seal, 'base64url');
  const genuine = seals(deps, visitor, about, text).some(
    (own) => sent.length === own.length && timingSafeEqual(own, sent),
  );
  if (!genuine) return null;
  const digest = hash('sha256', proof, 'buffer');
  return Math.clz32(digest.readUInt32BE()) >= Number(bits) ? random : null;
}

/**
 * Counts like `charge` for a visitor's call about an address or code. A proof of work passes the
 * limits of the network, once (P79c).
 */
export async function chargeVisitor(
  deps: VisitorDeps,
  visitor: Visitor,
  about: string,
  ...stages: Limit[][]
): Promise<UsedUp[]> {
  const salt = provenSalt(deps, visitor, about);
  return salt === null ? charge(deps, ...stages) : chargePaid(deps, salt, ...stages);
}

/**
 * The 429 of a visitor's call. It asks for work and has the same wait whichever limit refused, so
 * that nobody learns which one did (P79g).
 */
export function tooManyVisits(
  deps: WorkDeps,
  visitor: Visitor,
  about: string,
  used: readonly UsedUp[],
): Refusal {
  const work = askWork(deps, visitor, about, Math.max(...used.map(({ load }) => load)));
  const body = { detail: 'Too many attempts. Please wait and try again.', work };
  return new Refusal(429, body, ANONYMOUS_RETRY_S, used.map(({ name }) => name).join(' '));
}

/**
 * Counts like `chargeVisitor`.
 * @throws Refusal 429 that asks for work, or 503 without the database.
 */
export async function limitVisitor(
  deps: VisitorDeps,
  visitor: Visitor,
  about: string,
  ...stages: Limit[][]
): Promise<void> {
  const used = await chargeVisitor(deps, visitor, about, ...stages);
  if (used.length > 0) throw tooManyVisits(deps, visitor, about, used);
}
