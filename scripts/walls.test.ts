import { execFile } from 'node:child_process';
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/**
 * Plants one file for each import into an empty copy of the rooms, under the project's own lint
 * rules, and gives the numbers of those that the walls refuse.
 */
async function refused(imports: [file: string, source: string][]): Promise<number[]> {
  const copy = await mkdtemp(join(tmpdir(), 'backboard-walls-'));
  const rules = JSON.parse(await readFile(join(ROOT, 'biome.json'), 'utf8'));
  await writeFile(join(copy, 'biome.json'), JSON.stringify({ ...rules, vcs: { enabled: false } }));
  for (const [at, [file, source]] of imports.entries()) {
    const planted = join(copy, file.replace('planted', `planted-${at}-`));
    await mkdir(dirname(planted), { recursive: true });
    await writeFile(planted, `import { thing } from '${source}';\nthing();\n`);
  }
  const output = await new Promise<string>((done) =>
    execFile(
      'biome',
      ['lint', '--only=style/noRestrictedImports', '--max-diagnostics=none', '--colors=off'],
      { cwd: copy },
      (_, out, err) => done(out + err),
    ),
  );
  await rm(copy, { recursive: true });
  return imports
    .map((_, at) => at)
    .filter((at) => new RegExp(`planted-${at}-\\S* lint/style/noRestrictedImports`).test(output));
}

const BREACHES: [file: string, source: string][] = [
  ['contract/planted.ts', 'pg'],
  ['contract/planted.ts', 'obscenity'],
  ['contract/planted.ts', '../server/errors.ts'],
  ['contract/planted.test.ts', '../server/errors.ts'],
  ['server/planted.ts', '../web/main.tsx'],
  ['server/planted.ts', 'react'],
  ['server/games/planted.ts', '../../web/main.tsx'],
  ['server/games/planted.ts', '../leagues/routes.ts'],
  ['server/games/planted.ts', '../accounts/accounts.ts'],
  ['server/leagues/planted.ts', '../profile/profile.ts'],
  ['server/leagues/planted.ts', '../games/games.ts'],
  ['server/achievements/planted.ts', '../games/games.ts'],
  ['server/profile/planted.ts', '../accounts/accounts.ts'],
  ['server/accounts/planted.ts', '../machines/machines.ts'],
  ['server/machines/planted.ts', '../operator/operator.ts'],
  ['server/machines/planted.ts', '../games/routes.ts'],
  ['server/mail/planted.ts', '../accounts/accounts.ts'],
  ['server/live/planted.ts', '../games/games.ts'],
  ['web/planted.tsx', '../server/errors.ts'],
  ['web/auth/planted.tsx', '../profile/ProfilePage.tsx'],
  ['web/profile/planted.tsx', '../auth/AuthFlow.tsx'],
  ['web/account/planted.tsx', '../games/GamesPage.tsx'],
  ['web/games/planted.tsx', '../league/LeaguePage.tsx'],
  ['web/league/planted.tsx', '../games/GamesPage.tsx'],
  ['web/leaderboard/planted.tsx', '../league/LeaguePage.tsx'],
  ['web/achievements/planted.tsx', '../profile/ProfilePage.tsx'],
  ['web/profile/planted.tsx', '../achievements/AchievementsPage.tsx'],
  ['web/legal/planted.tsx', '../auth/AuthFlow.tsx'],
  ['web/ui/planted.tsx', '../api/client.ts'],
  ['web/ui/planted.tsx', '#contract/jersey.ts'],
  ['web/ui/planted.tsx', '../router.tsx'],
  ['web/api/planted.ts', '../session/session.ts'],
  ['web/session/planted.ts', '../auth/steps.ts'],
  ['web/avatar/planted.tsx', '../api/client.ts'],
  ['cabinet/planted.ts', '../server/errors.ts'],
  ['cli/planted.ts', '../server/errors.ts'],
  ['e2e/planted.ts', '../web/main.tsx'],
  ['bench/planted.ts', '../server/errors.ts'],
  ['standin/planted.ts', '../server/errors.ts'],
  ['standin/planted.ts', '#contract/accounts.ts'],
  ['server/planted.ts', '../standin/provider.ts'],
];

const ALLOWED: [file: string, source: string][] = [
  ['contract/planted.ts', 'zod'],
  ['contract/planted.ts', './errors.ts'],
  ['server/games/planted.ts', '#contract/games.ts'],
  ['server/machines/planted.ts', '../games/games.ts'],
  ['server/games/planted.ts', '../leagues/week.ts'],
  ['server/planted.ts', './games/routes.ts'],
  ['web/profile/planted.tsx', '../avatar/Jersey.tsx'],
  ['web/auth/planted.tsx', '../session/session.ts'],
  ['web/ui/planted.tsx', './Button.tsx'],
];

test('every wall refuses a planted breach and lets the rest through', async () => {
  const found = await refused([...BREACHES, ...ALLOWED]);
  const missed = BREACHES.filter((_, at) => !found.includes(at));
  expect(missed, 'breaches that no wall stops').toEqual([]);
  const wrong = ALLOWED.filter((_, at) => found.includes(BREACHES.length + at));
  expect(wrong, 'imports that a wall stops wrongly').toEqual([]);
});

/** The linter cannot tell an import of types from one of values, so this wall is a small search. */
const BODIES = 'accounts|profile|games|leagues|achievements|machines|operator|errors';
const bodyValues = new RegExp(
  `^import (?!type\\b)[^;]*?from '#contract/(${BODIES})\\.ts'|\\bimport\\('#contract/(${BODIES})\\.ts'\\)|from 'zod'`,
  'm',
);

test('the search finds an import of values and lets types through', () => {
  expect("import { user } from '#contract/profile.ts';").toMatch(bodyValues);
  expect("import {\n  user,\n} from '#contract/profile.ts';").toMatch(bodyValues);
  expect("import type { User } from '#contract/profile.ts';").not.toMatch(bodyValues);
  expect("import { abbreviate } from '#contract/abbreviate.ts';").not.toMatch(bodyValues);
});

test('the browser takes values only from the pure rules, so that zod stays out of it', async () => {
  for await (const path of glob('web/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['**/*.test.*', 'web/dist/**'],
  }))
    expect(await readFile(join(ROOT, path), 'utf8'), path).not.toMatch(bodyValues);
});

test('the environment is read in one place of the server', async () => {
  // The second hands its own locale and path on to PostgreSQL's programs; it takes no settings.
  const may = ['server/main.ts', 'server/config.ts', 'server/postgres/cluster.ts'];
  const sources = glob('server/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', '**/*.child.ts', 'server/testing/**'],
  });
  const readers: string[] = [];
  for await (const path of sources)
    if (/process\.env\b/.test(await readFile(join(ROOT, path), 'utf8'))) readers.push(path);
  expect(readers.filter((path) => !may.includes(path))).toEqual([]);
});
