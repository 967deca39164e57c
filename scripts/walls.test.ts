import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { circlesOf, importsOf, readSources } from './imports.ts';
import { judge } from './walls.ts';

const ROOT = join(import.meta.dirname, '..');
const sources = readSources(ROOT);

test('no file is in an import cycle, breaks an import rule or is in a wrong place', () => {
  const { circles, climbing, misplaced } = judge(sources);
  expect({ circles, climbing, misplaced }).toEqual({
    circles: [],
    climbing: [],
    misplaced: [],
  });
});

type Planted = [file: string, source: string];
const value = (specifier: string) => `import { thing } from '${specifier}';\nthing();\n`;

const BREACHES: Planted[] = [
  ['contract/rules/planted.ts', value('zod')],
  ['contract/rules/planted.ts', value('../wire/errors.ts')],
  ['contract/wire/planted.ts', value('pg')],
  ['contract/wire/planted.ts', value('obscenity')],
  ['contract/wire/planted.ts', value('../../server/errors.ts')],
  ['contract/wire/planted.test.ts', value('../../server/errors.ts')],
  ['server/planted.ts', value('../web/main.tsx')],
  ['server/planted.ts', value('react')],
  ['server/planted.ts', value('../standin/provider.ts')],
  ['server/planted.ts', value('./db/database.ts')],
  ['server/db/planted.ts', value('../games/record.ts')],
  ['server/http/planted.ts', value('../app.ts')],
  ['server/postgres/planted.ts', value('../errors.ts')],
  ['server/games/planted.ts', value('../../web/main.tsx')],
  ['server/games/planted.ts', value('../leagues/routes.ts')],
  ['server/accounts/planted.ts', value('../games/record.ts')],
  ['server/accounts/planted.ts', value('../leagues/joining.ts')],
  ['server/games/planted.ts', value('../process/serve.ts')],
  ['server/leagues/planted.ts', value('../profile/profile.ts')],
  ['server/leagues/planted.ts', value('../games/record.ts')],
  ['server/leaderboards/planted.ts', value('../games/record.ts')],
  ['server/achievements/planted.ts', value('../games/record.ts')],
  ['server/accounts/planted.ts', value('../machines/machines.ts')],
  ['server/accounts/planted.ts', value('../profile/profile.ts')],
  ['server/players/planted.ts', value('../accounts/login.ts')],
  ['server/machines/planted.ts', value('../operator/operator.ts')],
  ['server/machines/planted.ts', value('../games/routes.ts')],
  ['server/mail/planted.ts', value('../accounts/login.ts')],
  ['server/mail/planted.ts', value('../deps.ts')],
  ['server/live/planted.ts', value('../games/record.ts')],
  ['server/unnamed/planted.ts', value('../errors.ts')],
  ['web/planted.tsx', value('../../server/errors.ts')],
  ['web/auth/planted.tsx', value('../profile/ProfilePage.tsx')],
  ['web/auth/planted.tsx', value('pg')],
  ['web/auth/planted.tsx', value('node:fs')],
  ['web/profile/planted.tsx', value('../auth/AuthFlow.tsx')],
  ['web/account/planted.tsx', value('../games/GamesPage.tsx')],
  ['web/games/planted.tsx', value('../league/LeaguePage.tsx')],
  ['web/league/planted.tsx', value('../games/GamesPage.tsx')],
  ['web/leaderboard/planted.tsx', value('../league/LeaguePage.tsx')],
  ['web/achievements/planted.tsx', value('../profile/ProfilePage.tsx')],
  ['web/profile/planted.tsx', value('../achievements/AchievementsPage.tsx')],
  ['web/legal/planted.tsx', value('../auth/AuthFlow.tsx')],
  ['web/shell/planted.tsx', value('../profile/Profile.tsx')],
  ['web/ui/planted.tsx', value('../api/client.ts')],
  ['web/ui/planted.tsx', value('#contract/rules/jersey.ts')],
  ['web/ui/planted.tsx', value('../router.tsx')],
  ['web/ui/planted.tsx', value('@tanstack/react-query')],
  ['console/inbox/planted.tsx', value('../tonight/Tonight.tsx')],
  ['web/api/planted.ts', value('../session/session.ts')],
  ['web/session/planted.ts', value('../auth/steps.ts')],
  ['web/avatar/planted.tsx', value('../api/client.ts')],
  ['cabinet/client/planted.ts', value('../../server/errors.ts')],
  ['cabinet/conformance/planted.ts', value('../client/client.ts')],
  ['cli/planted.ts', value('../../server/errors.ts')],
  ['e2e/planted.ts', value('../web/main.tsx')],
  ['bench/planted.ts', value('../../server/errors.ts')],
  ['bench/planted.ts', value('../trials/recount.ts')],
  ['standin/planted.ts', value('../../server/errors.ts')],
  ['standin/planted.ts', value('#contract/wire/accounts.ts')],
  // Every form of an import.
  ['server/leagues/planted.ts', "import type { Thing } from '../games/record.ts';"],
  ['server/leagues/planted.ts', "import { type Thing } from '../games/record.ts';"],
  ['server/leagues/planted.ts', "import '../games/record.ts';"],
  ['server/leagues/planted.ts', "export { thing } from '../games/record.ts';"],
  ['server/leagues/planted.ts', "export * from '../games/record.ts';"],
  ['server/leagues/planted.ts', "export type * from '../games/record.ts';"],
  ['server/leagues/planted.ts', "export const thing = await import('../games/record.ts');"],
  ['server/leagues/planted.ts', 'export const thing = await import(`../games/record.ts`);'],
  ['server/leagues/planted.ts', "export type Thing = import('../games/record.ts').Thing;"],
  ['server/leagues/planted.ts', "export const load = (name: string) => import('./' + name);"],
  ['web/ui/planted.test.ts', "vi.mock('../api/client.ts');"],
  ['web/ui/planted.test.ts', "await vi.importActual('../api/client.ts');"],
  ['web/ui/planted.test.ts', "vi.mock(import('../api/client.ts'));"],
  // Production code must not import test code.
  ['server/games/planted.ts', value('vitest')],
  ['server/games/planted.ts', value('#testing/app/test-app.ts')],
  ['server/games/planted.ts', value('./storm.test.ts')],
  ['server/games/planted.test.ts', value('./storm.test.ts')],
  ['server/mail/planted.ts', value('./worker.child.ts')],
  ['cabinet/client/planted.ts', value('#testing/power-cut.ts')],
  ['web/ui/planted.tsx', value('vitest')],
  // The browser may import only types from schemas.
  ['web/profile/planted.tsx', value('zod')],
  ['web/profile/planted.tsx', value('#contract/wire/profile.ts')],
  ['web/profile/planted.tsx', "import {\n  thing,\n} from '#contract/wire/errors.ts';\nthing();"],
  ['web/profile/planted.tsx', "export const thing = await import('#contract/wire/profile.ts');"],
];

const ALLOWED: Planted[] = [
  ['contract/wire/planted.ts', value('zod')],
  ['contract/wire/planted.ts', value('./errors.ts')],
  ['server/games/planted.ts', value('#contract/wire/games.ts')],
  ['server/machines/planted.ts', value('../games/record.ts')],
  ['server/games/planted.ts', value('../leagues/week.ts')],
  ['server/games/planted.ts', value('../accounts/sessions.ts')],
  ['server/games/planted.test.ts', value('#testing/app/test-app.ts')],
  ['server/games/planted.test.ts', value('../machines/report.ts')],
  ['web/profile/planted.tsx', value('../avatar/Jersey.tsx')],
  ['web/profile/planted.tsx', "import type { User } from '#contract/wire/profile.ts';"],
  ['web/profile/planted.tsx', value('#contract/rules/games.ts')],
  ['web/auth/planted.tsx', value('../session/session.ts')],
  ['web/ui/planted.tsx', value('./Button.tsx')],
  ['web/ui/planted.tsx', "export const text = `import('../api/client.ts')`; // from '../api/x.ts'"],
];

test('the import rules refuse every planted violation and allow the rest', () => {
  const planted = [...BREACHES, ...ALLOWED].map(
    ([file, source], at): Planted => [file.replace('planted', `planted-${at}-`), source],
  );
  const { climbing } = judge(new Map([...sources, ...planted]));
  const isFound = (at: number) => climbing.some((line) => line.includes(`/planted-${at}-`));
  const missed = BREACHES.filter((_, at) => !isFound(at));
  expect(missed, 'violations that no rule refuses').toEqual([]);
  const wrong = ALLOWED.filter((_, at) => isFound(BREACHES.length + at));
  expect(wrong, 'allowed imports that a rule refuses').toEqual([]);
});

test('a planted import cycle is found, even through type imports', () => {
  const { circles } = judge(
    new Map([
      ['server/games/one.ts', "import type { Two } from './two.ts';"],
      ['server/games/two.ts', "export const load = () => import('./three.ts');"],
      ['server/games/three.ts', "export { one } from './one.ts';"],
      ['server/games/beside.ts', "import { one } from './one.ts';\none();"],
      ['server/games/itself.ts', "import { itself } from './itself.ts';\nitself();"],
    ]),
  );
  expect(circles.map((circle) => circle.map((file) => file.slice('server/games/'.length)))).toEqual(
    [['one.ts', 'three.ts', 'two.ts'], ['itself.ts']],
  );
  expect(circlesOf(new Map([['up', ['down']]]))).toEqual([]);
  const crossing = { a: ['b', 'c'], b: ['d'], c: ['d'], d: ['e'], e: ['d', 'f'], f: [] };
  expect(circlesOf(new Map(Object.entries(crossing)))).toEqual([['d', 'e']]);
});

test('the check finds tests that test no file, and too many modules at the server’s root', () => {
  const root = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  const { misplaced } = judge(
    new Map([
      ...sources,
      ...root.map((name): Planted => [`server/planted-${name}.ts`, '']),
      ['server/planted.test.ts', value('./errors.ts')],
      ['server/games/planted.test.ts', value('../leagues/week.ts')],
      ['server/games/several.test.ts', value('./record.ts')],
      ['server/system/planted.test.ts', value('../games/record.ts')],
    ]),
  );
  expect(misplaced).toEqual([
    expect.stringMatching(/^server\/ holds 1\d modules at its root/),
    'server/planted.test.ts tests no file beside it',
    'server/games/planted.test.ts tests no file beside it',
  ]);
});

test('the import reader distinguishes types from values, and files from libraries', () => {
  const source = [
    "import type { A } from '#contract/a.ts';",
    "import b from '@scope/b/deep.js';",
    "import style from './c.css?inline';",
    "import { readFile } from 'node:fs/promises';",
  ].join('\n');
  expect(importsOf('web/ui/x.ts', source).map(({ to, types }) => [to, types])).toEqual([
    [{ file: 'contract/a.ts' }, true],
    [{ library: '@scope/b' }, false],
    [{ file: 'web/ui/c.css' }, false],
    [{ library: 'node' }, false],
  ]);
});

test('the environment is read in one place of the server', async () => {
  const may = [
    'server/main.ts',
    'server/config.ts',
    'server/postgres/cluster.ts',
    // This file removes the shell's PG… variables.
    'server/postgres/embedded.ts',
    // The container runs this file beside the server.
    'server/process/healthcheck.ts',
  ];
  const files = glob('server/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', '**/*.child.ts'],
  });
  const readers: string[] = [];
  for await (const path of files)
    if (/process\.env\b/.test(await readFile(join(ROOT, path), 'utf8'))) readers.push(path);
  expect(readers.filter((path) => !may.includes(path))).toEqual([]);
});
