import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** What people read: pages, mails, the command line, examples of the API, guides. */
const READ = [
  '{web,console,screen,court,contract,cli}/**/*.{ts,tsx}',
  'server/**/*.ts',
  'docs/*.{md,json}',
  'README.md',
];
const UNREAD = /(\.test\.tsx?$|\/dist|node_modules|server\/db\/migrations)/;

/** Phrases that newer ones have replaced (HAND-V11). Short ones count only as a whole text. */
const REPLACED = [
  'The operator looks at it',
  'The arcade looks at it first',
  'Looked at: it stands',
  'My team and who we play',
  'Four counted',
  'Three in a row: beat your last game',
  'All 8 league games',
  'On the bench: your',
  'New achievement: play',
  'Put on a team',
  'It does not say',
  'Does not say whether games wait',
  'No call with it yet',
  'Tick none to give all venues',
  'Each two teams meet twice',
  'the command line neither',
  'A player who types a team',
  'Nobody has a name with a word',
  'They work for 15 min',
  '1 wants to join',
  'Nobody waits to join a team',
  'who you play see',
  'Nothing to judge',
  'Your duel runs',
  'counts after all, or was taken out',
  'passes you on this week',
  'choices are for all your devices',
  'it runs until the end of',
  'You asked. Open until',
  'Offer somebody one',
  'or when a game comes late',
  'or when staff have checked one',
  'The running week changes nothing yet',
  '[>"\'`“]Judge[<"\'`”]',
  '[>"\'`“]Stands[<"\'`”]',
  '[>"\'`“]Put right[<"\'`”]',
  '[>"\'`“]Put on[<"\'`”]',
];
/**
 * Only the console (about a decision of staff) and duels (about an offer) may say this. Elsewhere,
 * a player cancels a request or withdraws a report.
 */
const OF_PLAYERS = 'Take it back';

test('HAND-V11: no text contains a phrase that has been replaced', () => {
  const old = (path: string) =>
    new RegExp(
      [...REPLACED, ...(/^(console|web\/duels)\//.test(path) ? [] : [OF_PLAYERS])].join('|'),
      'g',
    );
  const paths = globSync(READ, { cwd: ROOT }).filter((path) => !UNREAD.test(path));
  expect(paths.length).toBeGreaterThan(500);
  const found = paths.flatMap((path) =>
    [...readFileSync(join(ROOT, path), 'utf8').matchAll(old(path))].map(
      ([text]) => `${path}: ${text}`,
    ),
  );
  expect(found).toEqual([]);
});
