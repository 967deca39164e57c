import type { AuditRow } from '#contract/wire/audit.ts';
import { count, dayAndTime, logTime } from '../ui/times.ts';

type Facts = AuditRow['before'];
type Value = Facts[string];

const STATES: Record<string, string> = {
  counted: 'counts',
  held: 'held',
  void: 'void',
  discarded: 'discarded',
};
const JOINING: Record<string, string> = {
  closed: 'closed',
  ask: 'waits for a manager',
  open: 'on the team at once',
};
/** `gameOf` writes these facts in one sentence. */
const OF_GAME = ['points', 'machine', 'played', 'game', 'report'];

const titled = (key: string) => `${key[0]?.toUpperCase()}${key.slice(1)}`;

/**
 * `#48213: 461 points on Hoop 5, played Thu 19 Nov 19:34`; null for lines without a game. Lines
 * that versions up to 0.2 wrote have no number.
 */
export function gameOf({ game, points, machine, played }: Facts, now?: Date): string | null {
  if (game === undefined || typeof points !== 'number') return null;
  const when = typeof played === 'string' ? `, played ${logTime(played, now)}` : '';
  const number = typeof game === 'number' ? `#${game}: ` : '';
  return `${number}${count(points, 'point')} on ${machine}${when.replace('Today', 'today')}`;
}

/** The values that an audit line changed, in the console's words. */
export function changesOf({ before, after }: Pick<AuditRow, 'before' | 'after'>) {
  const game = gameOf(after) !== null;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    // Leave out the ids of rows, which only the server needs.
    (key) => before[key] !== after[key] && !key.endsWith('_id') && !(game && OF_GAME.includes(key)),
  );
  return keys.map((key) => ({
    name: key === 'state' ? 'Game' : titled(key),
    was: before[key] === undefined ? undefined : inWords(key, before[key]),
    now: after[key] === undefined ? undefined : inWords(key, after[key]),
  }));
}

function inWords(key: string, value: Value): string {
  if (value === null) return key === 'until' ? 'until somebody takes it down' : 'none';
  if (typeof value === 'number') return value.toLocaleString('en');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (key === 'state') return STATES[value] ?? value;
  if (key === 'joining') return JOINING[value] ?? value;
  // A local time of the venue, or a day: do not convert it to another time zone.
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(value)) return dayAndTime(value.replace(' ', 'T'));
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return dayAndTime(`${value}T12:00`).split(',')[0] ?? value;
  return value;
}
