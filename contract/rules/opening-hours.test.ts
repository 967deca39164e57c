import { describe, expect, test } from 'vitest';
import { hoursText, parseHours } from './opening-hours.ts';

const HOURS = 'mon-thu 15:00-23:00, fri-sat 12:00-01:00, sun 12:00-22:00';

describe('MACH-09: the text of opening hours', () => {
  test('several spellings are read, and all are written back in the same form', () => {
    for (const [typed, text] of [
      [HOURS, HOURS],
      ['SUN 12:00-22:00,mon - thu 15:00 – 23:00,  fri-sat 12:00-1:00', HOURS],
      ['mon-sun 0:00-24:00', 'mon-sun 00:00-24:00'],
      ['sat-mon 10:00-12:00', 'mon 10:00-12:00, sat-sun 10:00-12:00'],
      ['mon 10:00-12:00, mon 14:00-18:00', 'mon 10:00-12:00, mon 14:00-18:00'],
      ['tue 18:00-00:00', 'tue 18:00-24:00'],
    ] as const) {
      expect(hoursText(parseHours(typed))).toBe(text);
      expect(parseHours(text)).toEqual(parseHours(typed));
    }
  });

  test('a wrong text is refused with a message that says what to write', () => {
    for (const [typed, why] of [
      ['', /no day with hours.*Write them as/],
      ['mon', /“mon” is no day with hours/],
      ['mon 15-23', /“15” is no time/],
      ['mon 15:00-25:00', /“25:00” is no time/],
      ['mon 15:60-23:00', /“15:60” is no time/],
      ['mon 24:00-23:00', /begins at 24:00/],
      ['day 15:00-23:00', /“day” is no day: use mon, tue/],
      ['mon-thu 15:00-23:00, thu 22:00-24:00', /Thursday overlap/],
      ['sun 20:00-04:00, mon 03:00-05:00', /Sunday overlap/],
      ['mon 10:00-12:00, mon 10:00-12:00', /overlap/],
      [`mon 10:00-12:00${' '.repeat(300)}, tue 10:00-12:00`, /At most 300/],
    ] as const)
      expect(() => parseHours(typed)).toThrow(why);
  });
});
