import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { circlesOf, type Import, importsOf } from './imports.ts';

/* Which folder may import which, and which packages: a row of ROOMS for each. The rest finds
   forbidden imports, misplaced files, and circles. */

/** A folder or file, by path; the longest matching path decides. */
type Room = {
  /** The rooms that it may import. `x/` means all production code in the folder x. */
  may: string[];
  /** The packages that it may import. `node` means Node's own modules. */
  libraries: string[];
  why: string;
  /** Only tests may import it. */
  tests?: true;
};

const SERVER = ['node', 'fastify', 'kysely', 'pg', 'zod'];
const BASE = ['contract', 'server', 'server/db', 'server/deps.ts', 'server/http'];
const LEAGUES = ['server/players', 'server/leagues'];
const GAMES = [...LEAGUES, 'server/venues', 'server/achievements', 'server/leaderboards'];
const MACHINES = [...GAMES, 'server/games'];

const webFeature: Room = {
  may: [
    'contract',
    'contract/profanity.ts',
    'web/ui',
    'web/api',
    'web/session',
    'web/avatar',
    'web/shell',
    'web/offline',
    'web/router.tsx',
  ],
  libraries: ['react', '@tanstack/react-query'],
  why: 'Features of the web app meet only in web/routes.tsx.',
};

/** A group of the console's screens. */
const consoleFeature: Room = {
  may: [
    'contract',
    'web/ui',
    'console/ui',
    'console/api',
    'console/session',
    'console/shell',
    'console/router.tsx',
  ],
  libraries: ['react', '@tanstack/react-query', '@simplewebauthn/browser'],
  why: 'Screens of the console meet only in console/routes.tsx.',
};

/**
 * Which room may import which, from the lowest layer to the highest. An import that no row allows
 * is an error.
 */
export const ROOMS: Record<string, Room> = {
  contract: {
    may: [],
    libraries: ['zod'],
    why: 'Every side uses it, so it imports nothing but zod.',
  },
  'contract/profanity.ts': {
    may: [],
    libraries: ['obscenity'],
    why: 'The word list is heavy; browser and server load it when they need it.',
  },

  server: {
    may: ['contract'],
    libraries: [...SERVER, 'fastify-type-provider-zod', 'pg-connection-string', 'pino'],
    why: 'Configuration, clock, keys, log and errors are the ground floor of the server.',
  },
  'server/db': {
    may: ['contract', 'server'],
    libraries: [...SERVER, 'pg-boss'],
    why: 'The database knows no feature.',
  },
  'server/postgres': {
    may: [],
    libraries: ['node'],
    why: 'The embedded server knows nothing of this app; it could be a package of its own.',
  },
  'server/http': {
    may: ['contract', 'server', 'server/db'],
    libraries: [...SERVER, '@fastify/static', 'fastify-type-provider-zod', 'prom-client'],
    why: 'What every route shares knows no feature.',
  },
  'server/mail': {
    may: ['contract', 'server', 'server/db', 'server/http'],
    libraries: [...SERVER, 'nodemailer', 'pg-boss'],
    why: 'Mail serves the features and knows none of them.',
  },
  'server/deps.ts': {
    may: ['server', 'server/db', 'server/http', 'server/mail'],
    libraries: ['fastify', 'pg'],
    why: 'Names what the process opens once; features sit above it.',
  },
  'server/docs': {
    may: BASE,
    libraries: [...SERVER, '@fastify/swagger', 'fastify-type-provider-zod'],
    why: 'Describes whatever routes there are, without naming one.',
  },
  'server/live': {
    may: BASE,
    libraries: SERVER,
    why: 'Passes on the notices of the database; who sends them is not its concern.',
  },
  'server/players': {
    may: BASE,
    libraries: SERVER,
    why: 'Everything else is about players, so this row knows nothing of it.',
  },
  'server/accounts': {
    may: [...BASE, 'server/mail', 'server/players'],
    libraries: [
      ...SERVER,
      '@node-rs/argon2',
      '@zxcvbn-ts/language-common',
      'fast-jwt',
      'openid-client',
    ],
    why: 'An account is how a player signs in; it knows neither games nor leagues.',
  },
  'server/leagues': {
    may: [...BASE, 'server/players', 'server/accounts', 'server/mail'],
    libraries: SERVER,
    why: 'Games, achievements and leaderboards are counted for leagues, never the reverse. A player joins a team only while the session is open (P4).',
  },
  'server/venues': {
    may: [...BASE, 'server/leagues'],
    libraries: SERVER,
    why: 'Opening hours need the calendar of leagues; machines stand in venues.',
  },
  'server/achievements': {
    may: [...BASE, ...LEAGUES],
    libraries: SERVER,
    why: 'Achievements count weeks of leagues; games award them.',
  },
  'server/leaderboards': {
    may: [...BASE, ...LEAGUES],
    libraries: SERVER,
    why: 'Leaderboards rank the figures of leagues; games update them.',
  },
  'server/games': {
    may: [...BASE, 'server/accounts', ...GAMES],
    libraries: SERVER,
    why: 'A game changes leagues, achievements and leaderboards; machines report it. A player reports a game only while the session is open (P4).',
  },
  'server/machines': {
    may: [...BASE, 'server/mail', ...MACHINES],
    libraries: SERVER,
    why: 'A machine records games; only the operator and the demo sit above it.',
  },
  'server/profile': {
    may: [
      ...BASE,
      'contract/profanity.ts',
      'server/mail',
      'server/players',
      'server/accounts',
      ...MACHINES,
    ],
    libraries: SERVER,
    why: 'A profile shows what the games of a player made, and changes the account under it.',
  },
  'server/screens': {
    may: [...BASE, ...MACHINES, 'server/machines'],
    libraries: SERVER,
    why: 'A screen shows what the features below it made; only the operator changes screens.',
  },
  'server/backup': {
    may: [...BASE, 'server/players'],
    libraries: [...SERVER, 'pg-copy-streams'],
    why: 'A backup copies tables; a restore also repeats deletions.',
  },
  'server/rehearsal': {
    may: [...BASE, 'server/backup', 'server/games', 'server/leaderboards', 'server/postgres'],
    libraries: SERVER,
    why: 'A process of its own, which the command line starts: it upgrades a copy of a backup.',
  },
  'server/demo': {
    may: [...BASE, ...MACHINES, 'server/machines', 'server/accounts', 'server/profile'],
    libraries: SERVER,
    why: 'Demo players enter by the same functions as real ones.',
  },
  'server/staff': {
    may: [...BASE, 'server/live', 'server/venues'],
    libraries: [...SERVER, '@simplewebauthn/server'],
    why: 'Staff sign in, reach venues and leave lines in the audit; what they change is above.',
  },
  'server/court': {
    may: [...BASE, 'server/achievements', 'server/machines', 'server/demo'],
    libraries: SERVER,
    why: 'A machine of the demo for development; nothing knows of it.',
  },
  'server/operator': {
    may: [
      ...BASE,
      ...MACHINES,
      'server/machines',
      'server/staff',
      'server/screens',
      'server/accounts',
      'server/profile',
      'server/mail',
      'server/backup',
      'server/demo',
    ],
    libraries: [...SERVER, 'csv-parse', 'leven'],
    why: 'The operator may do what any feature does; no feature calls the operator.',
  },
  'server/app.ts': {
    may: [
      ...BASE,
      ...MACHINES,
      'server/machines',
      'server/screens',
      'server/accounts',
      'server/profile',
      'server/mail',
      'server/live',
      'server/docs',
      'server/staff',
      'server/court',
      'server/operator',
    ],
    libraries: [
      'fastify',
      '@fastify/swagger',
      '@fastify/under-pressure',
      'fastify-type-provider-zod',
    ],
    why: 'Features meet here and nowhere else.',
  },
  'server/process': {
    may: [
      ...BASE,
      'server/mail',
      'server/accounts',
      'server/players',
      'server/leaderboards',
      'server/machines',
      'server/staff',
      'server/demo',
      'server/app.ts',
    ],
    libraries: [...SERVER, 'prom-client'],
    why: 'Opens and closes everything, so nothing below imports it.',
  },
  'server/main.ts': {
    may: ['server', 'server/postgres', 'server/process', 'standin'],
    libraries: ['node', 'fastify'],
    why: 'The entry of the process; the stand-in is loaded only in development.',
  },
  'server/testing': {
    may: ['contract', 'server/', 'scripts'],
    libraries: [...SERVER, 'vitest', 'fast-check', 'postal-mime', 'smtp-server'],
    why: 'Helpers of the server’s tests.',
    tests: true,
  },
  'server/system': {
    may: [],
    libraries: [],
    why: 'Tests of the whole server, so no file of its own.',
    tests: true,
  },

  'web/ui': {
    may: [],
    libraries: ['react', 'qr'],
    why: 'Knows neither routes nor the API nor a feature, so that any of them can use it.',
  },
  'web/styles': { may: [], libraries: [], why: 'Style sheets only.' },
  'web/router.tsx': {
    may: ['contract'],
    libraries: ['react'],
    why: 'Moves between addresses without knowing the pages.',
  },
  'web/api': {
    may: ['contract', 'contract/profanity.ts'],
    libraries: ['@tanstack/react-query'],
    why: 'The transport is handed what it needs; it knows no screen and no session.',
  },
  'web/avatar': {
    may: ['contract', 'web/ui'],
    libraries: ['react'],
    why: 'Draws; it knows neither the API nor the session.',
  },
  'web/offline': {
    may: ['contract'],
    libraries: ['workbox-precaching', 'workbox-routing'],
    why: 'The service worker and its installation know no screen.',
  },
  'web/session': {
    may: ['contract', 'web/ui', 'web/api', 'web/router.tsx'],
    libraries: ['react', '@tanstack/react-query'],
    why: 'Serves the features and knows none of them.',
  },
  'web/shell': {
    may: ['contract', 'web/ui', 'web/api', 'web/session', 'web/router.tsx'],
    libraries: ['react', '@tanstack/react-query'],
    why: 'What surrounds a page knows no page.',
  },
  'web/auth': webFeature,
  'web/profile': webFeature,
  'web/account': webFeature,
  'web/games': webFeature,
  'web/league': webFeature,
  'web/leaderboard': webFeature,
  'web/achievements': webFeature,
  'web/join': webFeature,
  'web/legal': webFeature,
  'web/routes.tsx': {
    may: [
      ...webFeature.may,
      'web/auth',
      'web/profile',
      'web/account',
      'web/games',
      'web/league',
      'web/leaderboard',
      'web/achievements',
      'web/join',
      'web/legal',
    ],
    libraries: ['react'],
    why: 'Features meet here and nowhere else.',
  },
  'web/App.tsx': {
    may: ['web/ui', 'web/api', 'web/session', 'web/shell', 'web/router.tsx', 'web/routes.tsx'],
    libraries: ['react'],
    why: 'Puts the providers around the routes.',
  },
  'web/paint': {
    may: ['contract', 'web/api', 'web/session', 'web/profile', 'web/router.tsx', 'web/App.tsx'],
    libraries: ['react', 'react-dom'],
    why: 'The first paint is the app itself, rendered at build time.',
  },
  'web/main.tsx': {
    may: ['web/api', 'web/session', 'web/styles', 'web/paint', 'web/router.tsx', 'web/App.tsx'],
    libraries: ['react', 'react-dom'],
    why: 'The entry of the browser.',
  },

  'screen/styles': { may: ['web/styles'], libraries: [], why: 'Style sheets only.' },
  screen: {
    may: ['contract', 'screen/styles'],
    libraries: ['qr'],
    why: 'The page of a television is one small script for old browsers, so it shares only rules.',
  },

  'cabinet/client/call.ts': {
    may: [],
    libraries: [],
    why: 'Also runs in the browser machine, so it imports nothing of Node.',
  },
  'cabinet/client/sender.ts': {
    may: ['contract', 'cabinet/client/call.ts'],
    libraries: ['zod'],
    why: 'Also runs in the browser machine, so it imports nothing of Node.',
  },
  'console/ui': {
    may: ['contract', 'web/ui', 'console/api'],
    libraries: ['react'],
    why: 'Draws for any screen of the console; knows none of them.',
  },
  'console/styles': { may: [], libraries: [], why: 'Style sheets only.' },
  'console/router.tsx': {
    may: [],
    libraries: ['react'],
    why: 'Moves between addresses without knowing the screens.',
  },
  'console/api': {
    may: ['contract'],
    libraries: ['@tanstack/react-query'],
    why: 'Calls and events; knows no screen.',
  },
  'console/session': {
    may: ['contract', 'console/ui', 'console/api'],
    libraries: ['react'],
    why: 'Who is signed in, and their venue; serves every screen.',
  },
  'console/shell': {
    may: [
      'contract',
      'web/ui',
      'console/ui',
      'console/api',
      'console/session',
      'console/router.tsx',
    ],
    libraries: ['react', '@tanstack/react-query'],
    why: 'What surrounds a screen knows no screen.',
  },
  'console/door': consoleFeature,
  'console/tonight': consoleFeature,
  'console/machine': consoleFeature,
  'console/more': consoleFeature,
  'console/screens': consoleFeature,
  'console/inbox': consoleFeature,
  'console/leagues': consoleFeature,
  'console/players': consoleFeature,
  'console/staff': consoleFeature,
  'console/system': consoleFeature,
  'console/routes.tsx': {
    may: [
      ...consoleFeature.may,
      'console/tonight',
      'console/machine',
      'console/more',
      'console/screens',
      'console/inbox',
      'console/leagues',
      'console/players',
      'console/staff',
      'console/system',
    ],
    libraries: ['react'],
    why: 'Screens of the console meet here and nowhere else.',
  },
  'console/App.tsx': {
    may: [...consoleFeature.may, 'console/door', 'console/routes.tsx'],
    libraries: ['react', '@tanstack/react-query'],
    why: 'Shows the door or the console.',
  },
  'console/main.tsx': {
    may: ['web/styles', 'console/styles', 'console/shell', 'console/App.tsx'],
    libraries: ['react', 'react-dom'],
    why: 'The entry of the console.',
  },

  'cabinet/client': {
    may: ['contract', 'cabinet/client/call.ts', 'cabinet/client/sender.ts'],
    libraries: ['node', 'zod'],
    why: 'Runs on the machine: it meets the server only over HTTP.',
  },
  'court/styles': { may: [], libraries: [], why: 'Style sheets only.' },
  court: {
    may: [
      'contract',
      'court/styles',
      'cabinet/client/sender.ts',
      'cabinet/client/call.ts',
      'web/ui',
      'web/avatar',
      'web/styles',
    ],
    libraries: ['react', 'react-dom', 'zod', 'jsqr'],
    why: 'A machine in the browser for development: it meets the server only over HTTP.',
  },
  'court/vite.config.ts': {
    may: [],
    libraries: ['vite', '@vitejs/plugin-react'],
    why: 'Configuration of the build of the court.',
  },
  'cabinet/testing': {
    may: ['contract', 'cabinet/client'],
    libraries: ['node', 'vitest'],
    why: 'Helpers of the cabinet’s tests.',
    tests: true,
  },
  'cabinet/conformance': {
    may: ['contract'],
    libraries: ['node', 'zod'],
    why: 'Judges clients from outside, so it knows none of them.',
  },
  'cabinet/arcade': {
    may: ['contract', 'cabinet/client', 'cabinet/client/sender.ts'],
    libraries: ['node', 'zod'],
    why: 'The simulator is built on the client, as a real machine is.',
  },
  cli: {
    may: ['contract'],
    libraries: ['node', 'commander', 'qr', 'zod'],
    why: 'The commands meet the server only over HTTP.',
  },
  standin: {
    may: [],
    libraries: ['node', 'oidc-provider'],
    why: 'Knows nothing of ours, as little as the provider whose part it plays.',
  },

  scripts: {
    may: ['contract', 'server/main.ts'],
    libraries: ['node', 'acorn', 'vite'],
    why: 'Install, start, build and test; `npm start` loads the server into its own process.',
  },
  'vite.console.config.ts': {
    may: [],
    libraries: ['vite', 'node', '@vitejs/plugin-react'],
    why: 'Configuration of the console’s build.',
  },
  'vite.config.ts': {
    may: ['scripts'],
    libraries: ['node', 'vite', '@vitejs/plugin-react'],
    why: 'Configuration of the build.',
  },
  'vitest.config.ts': {
    may: [],
    libraries: ['vitest'],
    why: 'Configuration of the tests.',
    tests: true,
  },
  'playwright.config.ts': {
    may: [],
    libraries: ['node', '@playwright/test'],
    why: 'Configuration of the browser tests.',
    tests: true,
  },
  e2e: {
    may: [
      'contract',
      'contract/profanity.ts',
      'scripts',
      'standin',
      'trials',
      'playwright.config.ts',
    ],
    libraries: [
      'node',
      '@axe-core/playwright',
      '@playwright/test',
      'jsqr',
      'pg',
      'pngjs',
      'postal-mime',
      'sharp',
      'smtp-server',
    ],
    why: 'Browser tests meet the app only by its address; a stand-in is another identity provider.',
    tests: true,
  },
  bench: {
    may: ['contract', 'scripts'],
    libraries: [
      'node',
      '@node-rs/argon2',
      '@playwright/test',
      'fast-jwt',
      'fastify',
      'pg',
      'pg-copy-streams',
    ],
    why: 'Measures the app from outside.',
    tests: true,
  },
  trials: {
    may: ['contract', 'scripts', 'bench', 'cabinet/testing'],
    libraries: ['node', 'pg', 'smtp-server'],
    why: 'Breaks the app from outside, under the load of the bench.',
    tests: true,
  },
};

/**
 * What tests may import beyond their room, by top-level folder ('' for all). Nothing imports a
 * test, so tests make no circle.
 */
const TESTS: Record<string, Pick<Room, 'may' | 'libraries'>> = {
  '': { may: [], libraries: ['node', 'vitest', 'fast-check'] },
  contract: { may: ['contract/'], libraries: [] },
  server: {
    may: ['contract', 'contract/profanity.ts', 'server/', 'server/testing', 'scripts', 'standin'],
    libraries: [
      ...SERVER,
      '@node-rs/argon2',
      '@redocly/openapi-core',
      'oazapfts',
      'postal-mime',
      'smtp-server',
    ],
  },
  web: { may: ['contract'], libraries: ['react', 'react-dom'] },
  console: { may: ['contract'], libraries: ['react', 'react-dom'] },
  cabinet: { may: ['cabinet/', 'cabinet/testing'], libraries: [] },
};

/** Files that may import a path that is computed at run time. */
const COMPUTED = [
  'scripts/pages.ts',
  'bench/pair.ts',
  'bench/paint/phone.ts',
  'server/docs/openapi.test.ts',
];
/** Tests in these folders are about the whole. Any other test is beside its file. */
const TESTS_OF_NO_FILE = /^(server\/system|e2e|trials|scripts)\//;
const SERVER_ROOT_MOST = 9;

const IS_TEST = /\.(test|spec)\.tsx?$|\.child\.ts$/;
const names = Object.keys(ROOMS).sort((a, b) => b.length - a.length);

function roomOf(file: string): string | undefined {
  // A room of one file includes its test.
  const tested = file.replace(/\.test\.tsx?$/, '.ts');
  const room = names.find(
    (name) => [file, tested, `${tested}x`].includes(name) || file.startsWith(`${name}/`),
  );
  // Only files directly in server/ belong to `server`. Each folder below is a room of its own.
  if (room === 'server' && file.split('/').length > 2) return undefined;
  return room;
}

const expand = (may: string[]) =>
  may.flatMap((name) =>
    name.endsWith('/')
      ? names.filter((room) => `${room}/`.startsWith(name) && !ROOMS[room]?.tests)
      : [name],
  );

function refusal({ from, to }: Import): string | undefined {
  const room = roomOf(from);
  const row = room === undefined ? undefined : ROOMS[room];
  if (room === undefined || row === undefined) return `${from} lies in no room of scripts/walls.ts`;
  const isTest = IS_TEST.test(from);
  const extra = isTest ? ['', from.split('/')[0] ?? ''].map((area) => TESTS[area]) : [];
  const why = `(${room}: ${row.why})`;

  if ('computed' in to)
    return COMPUTED.includes(from)
      ? undefined
      : `${from} computes a path to import: ${to.computed}`;
  if ('library' in to)
    return [row, ...extra].some((one) => one?.libraries.includes(to.library))
      ? undefined
      : `${from} imports ${to.library} ${why}`;

  const arrow = `${from} imports ${to.file}`;
  const target = roomOf(to.file);
  if (target === undefined) return `${arrow}, which lies in no room of scripts/walls.ts`;
  if (/\.(test|spec)\.tsx?$/.test(to.file)) return `${arrow}: nothing imports a test`;
  if (!isTest && !row.tests && (IS_TEST.test(to.file) || ROOMS[target]?.tests))
    return `${arrow}: production code imports nothing of the tests`;
  if (target === room) return undefined;
  if (/^server\/[^/]+\/routes\.ts$/.test(to.file) && from !== 'server/app.ts')
    return `${arrow}: a feature's routes are only for server/app.ts; import the feature itself`;
  const may = [row, ...extra].flatMap((one) => expand(one?.may ?? []));
  return may.includes(target) ? undefined : `${arrow} ${why}`;
}

/** Imports that would load zod in the browser: web may import schemas only as types. */
function zodInBrowser(imports: Import[]): string[] {
  const values = imports.filter(({ types }) => !types);
  const loads = (file: string): boolean =>
    values.some(
      ({ from, to }) =>
        from === file &&
        (('library' in to && to.library === 'zod') ||
          ('file' in to && to.file.startsWith('contract/') && loads(to.file))),
    );
  return [
    ...new Set(
      values
        .filter(({ from }) => /^(web|console|screen)\//.test(from) && !IS_TEST.test(from))
        .filter(({ to }) => 'file' in to && to.file.startsWith('contract/') && loads(to.file))
        .map(
          ({ from, to }) =>
            `${from} imports values of ${'file' in to ? to.file : ''}, which bring zod into the browser`,
        ),
    ),
  ];
}

/** Returns misplaced files, and rooms without files. */
function misplaced(files: string[], imports: Import[]): string[] {
  const root = files.filter((file) => /^server\/[^/]+$/.test(file) && !IS_TEST.test(file));
  const beside = (test: string) => test.replace(/\.test\.tsx?$/, '');
  const lost = files
    .filter((file) => /\.test\.tsx?$/.test(file) && !TESTS_OF_NO_FILE.test(file))
    .filter((test) => !['.ts', '.tsx', '.mjs'].some((end) => files.includes(beside(test) + end)))
    // A test of several files imports one of its own folder. In server/ itself, each test has a
    // file of the same name.
    .filter(
      (test) =>
        posix.dirname(test) === 'server' ||
        !imports.some(
          ({ from, to }) =>
            from === test && 'file' in to && posix.dirname(to.file) === posix.dirname(test),
        ),
    );
  return [
    ...(root.length > SERVER_ROOT_MOST
      ? [`server/ holds ${root.length} modules at its root, at most ${SERVER_ROOT_MOST} may be`]
      : []),
    ...lost.map((test) => `${test} tests no file beside it`),
    ...names
      .filter((room) => !files.some((file) => file === room || file.startsWith(`${room}/`)))
      .map((room) => `${room} has a row in scripts/walls.ts and no file`),
  ];
}

export type Verdict = {
  /** The rooms that each room imports, tests left out. */
  arrows: Map<string, Set<string>>;
  /** Circles of files that import each other, types included. */
  circles: string[][];
  /** Circles that the `may` lists allow. */
  tableCircles: string[][];
  /** Imports that the table refuses. */
  climbing: string[];
  misplaced: string[];
};

/** Checks files against the table. @param sources the text of each file, by path */
export function judge(sources: Map<string, string>): Verdict {
  const code = [...sources].filter(([file]) => /\.(tsx?|mjs|js)$/.test(file));
  const imports = code.flatMap(([file, source]) => importsOf(file, source));
  const arrows = new Map<string, Set<string>>();
  const graph = new Map<string, Set<string>>(code.map(([file]) => [file, new Set()]));
  for (const { from, to } of imports) {
    if ('file' in to) graph.get(from)?.add(to.file);
    const room = roomOf(from);
    const target = 'file' in to ? roomOf(to.file) : 'library' in to ? to.library : undefined;
    if (!room || !target || room === target || target === 'node' || IS_TEST.test(from)) continue;
    arrows.set(room, (arrows.get(room) ?? new Set()).add(target));
  }
  return {
    arrows,
    circles: circlesOf(graph),
    tableCircles: circlesOf(
      new Map(Object.entries(ROOMS).map(([room, { may }]) => [room, expand(may)])),
    ),
    climbing: [
      ...imports.map(refusal).filter((text) => text !== undefined),
      ...zodInBrowser(imports),
    ],
    misplaced: misplaced([...sources.keys()], imports),
  };
}

/** Every source file and style sheet that Git does not ignore, by path. */
export function readSources(root: string): Map<string, string> {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  return new Map(
    listed
      .split('\n')
      .filter((file) => /\.(tsx?|mjs|js|css)$/.test(file) && existsSync(join(root, file)))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  );
}

function main(): void {
  const sources = readSources(join(import.meta.dirname, '..'));
  const { arrows, circles, tableCircles, climbing, misplaced } = judge(sources);
  for (const room of Object.keys(ROOMS)) {
    const targets = [...(arrows.get(room) ?? [])].sort();
    const rooms = targets.filter((target) => target in ROOMS);
    const libraries = targets.filter((target) => !(target in ROOMS));
    console.log(
      `${room.padEnd(28)} ${[rooms.join(', ') || '–', ...(libraries.length ? [libraries.join(', ')] : [])].join(' | ')}`,
    );
  }
  console.log();
  for (const circle of [...circles, ...tableCircles]) console.log(`circle: ${circle.join(', ')}`);
  for (const line of climbing) console.log(`climbs: ${line}`);
  for (const line of misplaced) console.log(`misplaced: ${line}`);
  const found = [circles.length + tableCircles.length, climbing.length, misplaced.length];
  console.log(
    `${sources.size} files: ${found[0]} circles, ${found[1]} climbing arrows, ${found[2]} misplaced`,
  );
  if (found.some((count) => count > 0)) process.exitCode = 1;
}

if (import.meta.main) main();
