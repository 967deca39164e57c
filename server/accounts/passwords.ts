import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2';
import { normalisePassword, PASSWORD_MIN, passwordProblem } from '#contract/rules/password.ts';
import { badField, unavailable } from '../errors.ts';
import { lowerHashPriority } from './hash-threads.ts';

/** argon2id with the library's defaults (P14). */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 };
/** Concurrent hashes (P15). Each takes 19 MiB and a core. */
const AT_ONCE = Math.min(4, availableParallelism());
const QUEUE_MAX = 64;
const WAIT_MS = 3_000;
const RETRY_AFTER_S = 2;

/** Runs `atOnce` jobs at a time. `queueMax` more wait, each up to `waitMs`. */
export function hashBudget(atOnce: number, queueMax: number, waitMs: number) {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function turn(): Promise<void> {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= queueMax) throw unavailable(undefined, RETRY_AFTER_S);
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(unavailable(undefined, RETRY_AFTER_S));
      }, waitMs);
      waiting.push(start);
    });
  }

  /** @throws Refusal 503 if the queue is full or the wait too long; any error of `job`. */
  return async <T>(job: () => Promise<T>): Promise<T> => {
    await turn();
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

let withinBudget = hashBudget(AT_ONCE, QUEUE_MAX, WAIT_MS);

/** Divides the budget among `processes` processes on the same cores (P15). */
export function shareHashing(processes: number): void {
  withinBudget = hashBudget(Math.max(1, Math.floor(AT_ONCE / processes)), QUEUE_MAX, WAIT_MS);
}

async function hashing<T>(job: () => Promise<T>): Promise<T> {
  const result = await withinBudget(job);
  lowerHashPriority();
  return result;
}

/** Hashes to a PHC string (P14). @throws Refusal 503 when too busy (P15). */
export function hashPassword(password: string): Promise<string> {
  return hashing(() => hash(normalisePassword(password), COST));
}

let dummy: Promise<string> | undefined;

/**
 * Whether `password` matches `stored`; if that is null, false after the same CPU time (P15).
 * @throws Refusal 503 when too busy.
 */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hash(randomBytes(32), COST);
  const against = stored ?? (await dummy);
  const matches = await hashing(() => verify(against, normalisePassword(password)));
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
/** Shorter words are allowed: many good passwords contain them. */
const WORD_MIN = 4;
const REST_MIN = 5;
const OBVIOUS_WORDS = ['basketball', 'backboard', 'arcade'];

const backwards = (text: string) => [...text].reverse().join('');

/** One to three characters, repeated: "abcabcabc". */
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
