import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { USERNAME_INPUT_MAX, USERNAME_MAX } from '#contract/rules/username.ts';
import { nameSize, nameWidth } from './jersey-shape.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'];
const anyName = fc.string({
  unit: fc.constantFrom(...LETTERS),
  minLength: 1,
  maxLength: USERNAME_MAX,
});

describe('nameSize', () => {
  it.each([
    ['JO', 26],
    ['GLASSJOE', 26],
    ['MAYA_BANKS', 20.9],
    ['W'.repeat(USERNAME_INPUT_MAX), 12.3],
  ])('sets %s at %d units', (name, size) => {
    expect(nameSize(name)).toBe(size);
  });

  it('keeps every name between the arm holes', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        expect(nameWidth(name, nameSize(name))).toBeLessThanOrEqual(108);
        expect(nameSize(name)).toBeGreaterThan(0);
      }),
    );
  });

  it('makes no name more than a tenth of a unit smaller than necessary', () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const size = nameSize(name);
        if (size < 26) expect(nameWidth(name, size + 0.1)).toBeGreaterThan(108 - 1e-9);
      }),
    );
  });
});
