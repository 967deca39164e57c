import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AVATAR_LIGHTNESS,
  AVATAR_SATURATION,
  DEFAULT_AVATAR_COLOR,
  HUE_MAX,
  SHADE_LIGHTNESSES,
} from '#contract/rules/jersey.ts';
import { hslToHex, hueOf } from './hue.ts';
import { contrast, jerseyColours } from './jersey-colour.ts';

const anyHue = fc.integer({ min: 0, max: HUE_MAX });
const anyLightness = fc.constantFrom(AVATAR_LIGHTNESS, ...SHADE_LIGHTNESSES);
const anyColour = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0').toUpperCase()}`);

describe('contrast', () => {
  it.each([
    ['#000000', '#FFFFFF', 21],
    ['#FFFFFF', '#FFFFFF', 1],
    ['#767676', '#FFFFFF', 4.54],
    ['#12285C', '#FFFFFF', 14.2],
  ])('%s on %s is %d', (one, other, ratio) => {
    expect(contrast(one, other)).toBeCloseTo(ratio, 1);
    expect(contrast(other, one)).toBe(contrast(one, other));
  });
});

describe('hslToHex and hueOf', () => {
  it.each([
    [0, 100, 50, '#FF0000'],
    [120, 100, 50, '#00FF00'],
    [240, 100, 50, '#0000FF'],
    [28, 70, 54, '#DC8438'],
    [28, 70, 30, '#824917'],
    [262, 70, 45, '#5D22C3'],
    [0, 0, 100, '#FFFFFF'],
  ])('hsl(%d %d% %d%) is %s', (hue, saturation, lightness, hex) => {
    expect(hslToHex(hue, saturation, lightness)).toBe(hex);
    expect(hueOf(hex)).toBe(hue);
  });

  it('recovers every hue at the slider’s lightness', () => {
    for (let hue = 0; hue <= HUE_MAX; hue++)
      expect(hueOf(hslToHex(hue, AVATAR_SATURATION, AVATAR_LIGHTNESS))).toBe(hue);
  });

  it('recovers the hue of a pale shade to within a degree', () => {
    fc.assert(
      fc.property(anyHue, anyLightness, (hue, lightness) => {
        const found = hueOf(hslToHex(hue, AVATAR_SATURATION, lightness));
        const apart = Math.abs(found - hue);
        expect(Math.min(apart, 360 - apart)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('gives a hue of 0 to 359 for any colour', () => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        const hue = hueOf(colour);
        expect(Number.isInteger(hue) && hue >= 0 && hue <= HUE_MAX).toBe(true);
      }),
    );
  });
});

describe('jerseyColours', () => {
  it.each([
    [DEFAULT_AVATAR_COLOR, '#FFFFFF', '#28599C'],
    ['#DC8438', '#0B1226', '#EFC8A5'],
    ['#5D22C3', '#FFFFFF', '#431B91'],
    ['#000000', '#FFFFFF', '#020308'],
    ['#FFFFFF', '#0B1226', '#FFFFFF'],
  ])('gives %s the ink %s and the trim %s', (body, ink, trim) => {
    expect(jerseyColours(body)).toEqual({ ink, trim });
  });

  const holds = (body: string) => {
    const { ink, trim } = jerseyColours(body);
    if (ink === '#FFFFFF') expect(contrast(ink, body)).toBeGreaterThanOrEqual(3);
    else expect(contrast(ink, body)).toBeGreaterThanOrEqual(6.2);
    expect(contrast(ink, trim)).toBeGreaterThanOrEqual(ink === '#FFFFFF' ? 7 : 11);
  };

  it('keeps the minimum contrasts for every colour of the picker', () => {
    for (const lightness of [AVATAR_LIGHTNESS, ...SHADE_LIGHTNESSES])
      for (let hue = 0; hue <= HUE_MAX; hue++) holds(hslToHex(hue, AVATAR_SATURATION, lightness));
  });

  it('keeps the minimum contrasts for any colour', () => {
    fc.assert(fc.property(anyColour, holds), { numRuns: 2000 });
  });
});
