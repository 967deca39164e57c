import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { findProof, sha256 } from './nonce.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

test.each([0, 3, 47, 55, 56, 63, 64, 119, 130])(
  'P79c: SHA-256 of %i characters equals that of Node.js',
  (length) => {
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(3).slice(0, length);
    const own = Buffer.alloc(32);
    for (const [index, word] of sha256(text).entries()) own.writeInt32BE(word, 4 * index);
    expect(own.toString('hex')).toBe(digest(text).toString('hex'));
  },
);

test('P79c: the hash of a proof begins with the zero bits', () => {
  const proof = findProof({ salt: 'abcdefghijk.tp3x87.10.seal', bits: 10 });
  expect(proof).toMatch(/^abcdefghijk\.tp3x87\.10\.seal:\d+$/);
  expect(digest(proof).readUInt32BE() >>> 22).toBe(0);
});
