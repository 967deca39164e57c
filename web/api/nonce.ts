import { proofOf, type Work } from '#contract/rules/work.ts';

/*
 * The search for the nonce of a proof of work (P79c). `crypto.subtle` needs a promise for each
 * hash, which is many times slower.
 */

const WORD = 2 ** 32;
/** The first 64 prime numbers, from which SHA-256 takes its constants. */
const PRIMES = Array.from({ length: 312 }, (_, n) => n).filter(
  (n) => n > 1 && !Array.from({ length: n }, (_, d) => d).some((d) => d > 1 && n % d === 0),
);
const fraction = (n: number) => ((n % 1) * WORD) | 0;
const K = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

const words = new Int32Array(64);
const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by));
const at = (of: Int32Array, index: number) => of[index] as number;

/** Adds a block, the first 16 of `words`, to `state`. */
function compress(state: Int32Array): void {
  for (let t = 16; t < 64; t += 1) {
    const w15 = at(words, t - 15);
    const w2 = at(words, t - 2);
    const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3);
    const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10);
    words[t] = at(words, t - 16) + s0 + at(words, t - 7) + s1;
  }
  let a = at(state, 0);
  let b = at(state, 1);
  let c = at(state, 2);
  let d = at(state, 3);
  let e = at(state, 4);
  let f = at(state, 5);
  let g = at(state, 6);
  let h = at(state, 7);
  for (let t = 0; t < 64; t += 1) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(K, t) + at(words, t)) | 0;
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = at(state, 0) + a;
  state[1] = at(state, 1) + b;
  state[2] = at(state, 2) + c;
  state[3] = at(state, 3) + d;
  state[4] = at(state, 4) + e;
  state[5] = at(state, 5) + f;
  state[6] = at(state, 6) + g;
  state[7] = at(state, 7) + h;
}

/** SHA-256 of an ASCII text, as eight words. */
export function sha256(text: string): Int32Array {
  const state = START.slice();
  // One bit and a length of 64 bits follow the text; the last block is full.
  const blocks = Math.ceil((text.length + 9) / 64);
  for (let block = 0; block < blocks; block += 1) {
    for (let t = 0; t < 16; t += 1) {
      let word = 0;
      for (let byte = 0; byte < 4; byte += 1) {
        const index = block * 64 + t * 4 + byte;
        word = (word << 8) | (index === text.length ? 0x80 : text.charCodeAt(index) || 0);
      }
      words[t] = word;
    }
    if (block === blocks - 1) words[15] = text.length * 8;
    compress(state);
  }
  return state;
}

/** Finds the proof for `work`, which takes about 2 to the power of `bits` hashes. */
export function findProof({ salt, bits }: Pick<Work, 'salt' | 'bits'>): string {
  for (let nonce = 0; ; nonce += 1) {
    const proof = proofOf(salt, nonce);
    if (Math.clz32(at(sha256(proof), 0)) >= bits) return proof;
  }
}
