import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2';
import {
  normalisePassword,
  PASSWORD_MAX_BYTES,
  PASSWORD_MIN,
  passwordProblem,
} from '#contract/rules/password.ts';
import { badField } from '../errors.ts';
import { hashQueue } from './hash-queue.ts';
import { lowerHashPriority } from './hash-threads.ts';

/** argon2id with the library's defaults (P14). */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
const QUEUE_MAX = 64;
const WAIT_MS = 3_000;
/** The longest wait for a hash that no visitor waits for. */
const PATIENT_MS = 60_000;

/** The name under which a hash takes turns if no visitor asked for it. */
const SERVER = 'server';

const queueOf = (atOnce: number, waitMs: number) =>
  hashQueue({ atOnce, queueMax: QUEUE_MAX, waitMs });
/** How many hashes run at once before `shareHashing` is called, such as when the demo is filled. */
const UNTOLD = 2;
let inTurn = queueOf(UNTOLD, PATIENT_MS);

/**
 * Sets how many hashes this process runs at once: its share of `hashes`, at least 1, if `processes`
 * processes use the same cores (P15). Returns a function that restores the previous number.
 */
export function shareHashing(hashes: number, processes: number): () => void {
  const before = inTurn;
  inTurn = queueOf(Math.max(1, Math.floor(hashes / processes)), WAIT_MS);
  return () => {
    inTurn = before;
  };
}

async function hashing<T>(whose: string, job: () => Promise<T>): Promise<T> {
  const result = await inTurn(whose, job);
  lowerHashPriority();
  return result;
}

/**
 * Hashes to a PHC string (P14). `whose`: the network or player whose turn the hash takes (P15).
 * @throws Refusal 503 when too busy.
 */
export function hashPassword(password: string, whose = SERVER): Promise<string> {
  return hashing(whose, () => hash(normalisePassword(password), COST));
}

let dummy: Promise<string> | undefined;

/**
 * Whether `password` matches `stored`. If `stored` is null, returns false after the same CPU time
 * (P15). `whose`: the network or player whose turn the hash takes.
 * @throws Refusal 503 when too busy.
 */
export async function isPassword(
  stored: string | null,
  password: string,
  whose = SERVER,
): Promise<boolean> {
  const normal = normalisePassword(password);
  if (Buffer.byteLength(normal) > PASSWORD_MAX_BYTES) return false;
  dummy ??= hash(randomBytes(32), COST);
  const against = stored ?? (await dummy);
  const matches = await hashing(whose, () => verify(against, normal));
  return matches && stored !== null;
}

/** Whether a hash has outdated parameters (P14). */
export function needsRehash(stored: string): boolean {
  const { memoryCost, timeCost, parallelism, outputLen } = parseOptions(stored);
  return (
    memoryCost !== COST.memoryCost ||
    timeCost !== COST.timeCost ||
    parallelism !== COST.parallelism ||
    outputLen !== COST.outputLen
  );
}

export const PASSWORD_COMMON =
  'This password is on public lists of stolen passwords. Please choose another one.';
export const PASSWORD_OBVIOUS =
  'This password is too close to your name, your email address or this game. Please choose another one.';

const require = createRequire(import.meta.url);
let stolen: Set<string> | undefined;

/** More than 10,000 breached passwords (P13). */
export function stolenPasswords(): Set<string> {
  const list = () => require('@zxcvbn-ts/language-common/src/passwords.json') as string[];
  stolen ??= new Set(list().filter((password) => password.length >= PASSWORD_MIN));
  return stolen;
}
/** Ignore shorter words, because many good passwords contain them. */
const WORD_MIN = 4;
const REST_MIN = 5;
const OBVIOUS_WORDS = ['basketball', 'backboard', 'arcade'];

const backwards = (text: string) => [...text].reverse().join('');

/** One to three characters, repeated, such as "abcabcabc". */
const REPEATED = /^(.{1,3}?)\1+$/su;

function isStolen(password: string): boolean {
  const lower = password.toLowerCase();
  const list = stolenPasswords();
  return list.has(password) || list.has(lower) || REPEATED.test(lower);
}

/** "Hoop City" gives "hoop city", "hoopcity", "hoop" and "city". */
const wordsOf = (name: string) => {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return [name.toLowerCase(), words.join(''), ...words];
};

/** Whether a password is little more than words of `names`, also spelled backwards (P13). */
function isObvious(password: string, names: string[]): boolean {
  let rest = password.toLowerCase();
  for (const word of names.flatMap(wordsOf))
    if (word.length >= WORD_MIN) rest = rest.replaceAll(word, '').replaceAll(backwards(word), '');
  return rest !== password.toLowerCase() && [...rest].length < REST_MIN;
}

/**
 * Checks a new password (P11, P13). `about`: further obvious words, such as brand, username and
 * the address's local part.
 * @throws Refusal 400 on `password` with the reason.
 */
export function requireGoodPassword(password: string, about: string[]): void {
  const normal = normalisePassword(password);
  const problem =
    passwordProblem(normal) ??
    (isStolen(normal) ? PASSWORD_COMMON : null) ??
    (isObvious(normal, [...OBVIOUS_WORDS, ...about]) ? PASSWORD_OBVIOUS : null);
  if (problem !== null) throw badField('password', problem);
}
