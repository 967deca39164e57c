import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { progress } from './count-up.ts';

describe('progress', () => {
  it.each([
    [-5, 0],
    [0, 0],
    [300, 0.875],
    [600, 1],
    [10_000, 1],
  ])('after %d ms is %d', (elapsed, share) => {
    expect(progress(elapsed)).toBe(share);
  });

  it('never counts backwards and never past the figure', () => {
    fc.assert(
      fc.property(fc.nat(700), fc.nat(700), (one, other) => {
        const [early, late] = [Math.min(one, other), Math.max(one, other)];
        expect(progress(early)).toBeLessThanOrEqual(progress(late));
        expect(progress(late)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
