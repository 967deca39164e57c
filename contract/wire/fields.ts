import { z } from 'zod';
import { canonicalEmail, EMAIL_INVALID, EMAIL_MAX, isEmail } from '../rules/email.ts';
import { hasUnseen } from '../rules/unseen.ts';

/** Parses to the canonical form (P26). */
export const email = z
  .string()
  .max(EMAIL_MAX + 64, EMAIL_INVALID)
  .transform(canonicalEmail)
  .refine(isEmail, EMAIL_INVALID);

/** The database has the same limits; these give better messages. */
export const NAME_MAX = 60;

/** Counts code points, as PostgreSQL does. */
export const characters = (text: string) => [...text].length;

/** Composes letters, and replaces each run of blanks by one space (OPS-30). */
export const tidy = (typed: string) =>
  typed
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim();

/** A name, or another `noun`, of 1 to `most` characters, none of them invisible. */
export const name = (most: number, noun = 'name') =>
  z
    .string()
    .transform(tidy)
    .pipe(
      z
        .string()
        .min(1, `A ${noun} is required.`)
        .refine((text) => characters(text) <= most, `A ${noun} has at most ${most} characters.`)
        .refine((text) => !hasUnseen(text), `A ${noun} cannot contain control characters.`),
    );

/** A name or id (OPS-03). */
export const ref = z.string().overwrite(tidy).min(1).max(200);
const A_DAY = 'Write a day of the calendar as YYYY-MM-DD.';

/** PostgreSQL has no year 0. */
export const day = z.iso.date(A_DAY).refine((text) => !text.startsWith('0000'), A_DAY);

/**
 * A day and time on the venue's clock, an instant with seconds and Z, or `word` unless it is null.
 */
export function momentOr(word: string | null, example: string) {
  const wrong = `Write ${word === null ? '' : `${word}, or `}a day and time at the venue such as ${example}.`;
  return z
    .string()
    .transform((typed) => typed.trim().replace(' ', 'T'))
    .pipe(z.string().refine((text) => text === word || isMoment(text), wrong));
}
const isMoment = (text: string) =>
  /^[1-9]\d{3}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{3})?Z)?$/.test(text) &&
  z.iso.date().safeParse(text.slice(0, 10)).success;
export const moment = momentOr(null, '2026-11-27 19:00');
/** A start that staff plan; `now` is the running minute. */
export const begin = momentOr('now', '2026-11-27 19:00');

/** The `next` of the previous page. An empty one asks for the first page. */
export const cursor = (most: number) =>
  z
    .string()
    .max(most)
    .transform((text) => text || undefined)
    .optional();

/** A day in an answer. */
export const date = z.iso.date();

export const id = z.string().meta({ example: '1' });

export const accountId = z.string().regex(/^\d{1,15}$/, 'This is not the number of an account.');

/**
 * Names one player, by address or account number. The console, which does not have the addresses,
 * uses the number (P65).
 */
export const onePlayer = <T extends z.ZodRawShape>(more: T) =>
  z
    .object({ email: email.optional(), account: accountId.optional(), ...more })
    .refine(
      (body) =>
        ('email' in body && body.email !== undefined) !==
        ('account' in body && body.account !== undefined),
      {
        path: ['email'],
        message: 'Give the address or the number of one account.',
      },
    );

export const time = z.string().meta({ example: '2026-11-22T18:00:00.000Z' });

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const checked = (most: number, what: string, tidy: (typed: string) => string) =>
  z
    .string()
    .transform((typed) => tidy(typed.normalize('NFC')))
    .pipe(
      z
        .string()
        .min(1, `${what} is required.`)
        .refine((text) => characters(text) <= most, `${what} has at most ${most} characters.`)
        .refine(
          (text) => !text.split('\n').some(hasUnseen),
          `${what} cannot contain control characters.`,
        ),
    );

/**
 * One line without invisible characters; line breaks and runs of spaces become one space. `what`
 * begins the messages: "A notice".
 */
export const plain = (most: number, what: string) => checked(most, what, oneLine);

/** Like `plain`, but keeps line breaks. Drops empty lines; `most` limits all lines together. */
export const plainLines = (most: number, what: string) =>
  checked(most, what, (typed) =>
    typed
      .split(/[\r\n]+/)
      .map(oneLine)
      .filter((line) => line !== '')
      .join('\n'),
  );
