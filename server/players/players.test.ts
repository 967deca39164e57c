import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const WRITES =
  /(insertInto|updateTable|deleteFrom)\('players'\)|\b(insert into|update|delete from) players\b/;

test('the pattern of this test finds every way to write the table', () => {
  expect("db.updateTable('players')").toMatch(WRITES);
  expect('sql`with moved as (update players p set').toMatch(WRITES);
  expect("db.selectFrom('players')").not.toMatch(WRITES);
});

async function filesWith(pattern: RegExp): Promise<string[]> {
  const sources = glob('server/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', 'server/db/migrations/**'],
  });
  const found: string[] = [];
  for await (const path of sources)
    if (pattern.test(await readFile(join(ROOT, path), 'utf8'))) found.push(path);
  return found.sort();
}

test('only files in this folder write the table `players`', async () => {
  expect(await filesWith(WRITES)).toEqual([
    'server/players/erase.ts',
    'server/players/players.ts',
    'server/players/visibility.ts',
  ]);
});

const READS_NAMES =
  /\bp\.(username|avatar_color|jersey_number)\b|'(players\.)?(username|avatar_color|jersey_number)'|\bselect\b[^;`]*\b(username|avatar_color|jersey_number)\b[^;`]*\bfrom players\b/;
/** Files with such a query, with reasons. All others use `namedFor` (P68). */
const READ_NAMES: Record<string, string> = {
  'server/court/court.ts': 'the court of a developer, never in production',
  'server/cups/seeds.ts': 'staff name the sides of a cup',
  'server/duels/bests.ts': 'the name of the rival, by `namedFor`',
  'server/duels/duels.ts': 'whom the caller may see, by `mayBeNamed`',
  'server/duels/who.ts': 'that there is a name, not which',
  'server/friends/codes.ts': 'whoever shows a code, or asks by it, shows the name for ten minutes',
  'server/friends/friends.ts': 'friends, by `mayBeFriends`',
  'server/games/corrections.ts': 'staff see everybody',
  'server/leagues/requests.ts': 'staff see who asks to join',
  'server/leagues/rosters.ts': 'staff see everybody',
  'server/leagues/season-archive.ts': 'staff see everybody; players get `namedFor`',
  'server/leagues/season-offer.ts': 'staff see whose award changes',
  'server/leagues/team-week.ts': 'team mates see each other; former members pass `mayBeNamed`',
  'server/machines/greeting.ts': 'a machine greets whoever stands in front of it',
  'server/nudges/by-itself.ts': 'the order of equal players, never shown',
  'server/nudges/nudges.ts': 'finds a team mate by the name that the caller wrote',
  'server/players/players.ts': 'the row itself',
  'server/players/visibility.ts': 'decides who sees it',
  'server/profile/profile.ts': 'the own profile',
  'server/staff-pages/contests.ts': 'staff see everybody',
  'server/staff-pages/cups.ts': 'staff see everybody',
  'server/staff-pages/decisions.ts': 'staff see everybody',
  'server/staff-pages/inbox.ts': 'staff see everybody',
  'server/staff-pages/league.ts': 'staff see everybody',
  'server/staff-pages/machine.ts': 'staff see everybody',
  'server/staff-pages/player.ts': 'staff see everybody',
  'server/staff-pages/search.ts': 'staff see everybody',
  'server/staff-pages/tonight.ts': 'staff see everybody',
};

test('P68: every query takes players’ names from the rule that says who may see whom', async () => {
  expect('select b.score, p.username from bests').toMatch(READS_NAMES);
  expect("db.selectFrom('players').select(['players.avatar_color'])").toMatch(READS_NAMES);
  expect('sql`select id, jersey_number from players`').toMatch(READS_NAMES);
  expect('select b.score, b.place from bests join players p').not.toMatch(READS_NAMES);
  expect(await filesWith(READS_NAMES)).toEqual(Object.keys(READ_NAMES));
});
