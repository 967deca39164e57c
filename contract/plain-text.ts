import { z } from 'zod';
import { hasUnseen } from './unseen.ts';

/**
 * One line without invisible characters; line breaks and runs of spaces become one space. `what`
 * begins the messages: "A notice".
 */
export const plain = (most: number, what: string) =>
  z
    .string()
    .transform((typed) => typed.normalize('NFC').replace(/\s+/g, ' ').trim())
    .pipe(
      z
        .string()
        .min(1, `${what} is required.`)
        .max(most, `${what} has at most ${most} characters.`)
        .refine((text) => !hasUnseen(text), `${what} cannot contain control characters.`),
    );
