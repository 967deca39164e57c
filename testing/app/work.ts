import { hash } from 'node:crypto';
import { proofOf, WORK_HEADER, type Work } from '#contract/rules/work.ts';

/** The header with the proof of work, for repeating a call (P79c). */
export function solved({ salt, bits }: Work): Record<string, string> {
  for (let nonce = 0; ; nonce += 1) {
    const proof = proofOf(salt, nonce);
    if (Math.clz32(hash('sha256', proof, 'buffer').readUInt32BE()) >= bits)
      return { [WORK_HEADER]: proof };
  }
}

/** The body without the parts of `work` that differ from one request to the next. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
export const withoutSalt = ({ work, ...body }: any): unknown =>
  work === undefined ? body : { ...body, work: { bits: work.bits, fields: Object.keys(work) } };
