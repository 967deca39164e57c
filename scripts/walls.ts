import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { circlesOf, type Import, importsOf } from './imports.ts';

/*
 * ROOMS says what each folder may import. The code below finds forbidden imports, misplaced files
 * and circles.
 */

/** A folder's or file's rules. The longest path in ROOMS that matches decides. */
type Room = {
  /** `x/` means all production code in the folder x. */
  may: string[];
  /** `node` means Node's own modules. */
  libraries: string[];
  why: string;
  /** Only tests may import this room. */
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
    'contract/rules/profanity.ts',
    'web/ui',
    'web/api',
    'web/session',
    'web/avatar',
    'web/slip',
    'web/shell',
    'web/offline',
    'web/router.tsx',
  ],
  libraries: ['react', '@tanstack/react-query'],
  why: 'Features of the web app must not import each other; web/routes.tsx combines them.',
};

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
  why: 'Folders of console screens must not import each other; console/routes.tsx combines them.',
};

/** From the lowest layer to the highest. An import that no row allows is an error. */
export const ROOMS: Record<string, Room> = {
  contract: {
    may: [],
    libraries: ['zod'],
    why: 'All sides import this folder, so it may import only zod.',
  },
  'contract/rules/profanity.ts': {
    may: [],
    libraries: ['obscenity'],
    why: 'The word list is large, so only the rooms that list this file may import it.',
  },

  server: {
    may: ['contract'],
    libraries: [...SERVER, 'fastify-type-provider-zod', 'pg-connection-string', 'pino'],
    why: 'The whole server imports its configuration, clock, keys, log and errors, so they import no feature.',
  },
  'server/db': {
    may: ['contract', 'server'],
    libraries: [...SERVER, 'pg-boss'],
    why: 'All features import the database, so it imports no feature.',
  },
  'server/postgres': {
    may: [],
    libraries: ['node'],
    why: 'Runs the embedded PostgreSQL. It imports nothing of this app, so it could be a package of its own.',
  },
  'server/http': {
    may: ['contract', 'server', 'server/db'],
    libraries: [...SERVER, 'fastify-type-provider-zod', 'prom-client'],
    why: 'All routes import this folder, so it imports no feature.',
  },
  'server/mail': {
    may: ['contract', 'server', 'server/db', 'server/http'],
    libraries: [...SERVER, 'nodemailer', 'pg-boss'],
    why: 'Features import mail, so mail imports no feature.',
  },
  'server/deps.ts': {
    may: ['server', 'server/db', 'server/http', 'server/mail'],
    libraries: ['fastify', 'pg'],
    why: 'Types what the process opens once. Features import this file, so it imports no feature.',
  },
  'server/docs': {
    may: BASE,
    libraries: [...SERVER, '@fastify/swagger', 'fastify-type-provider-zod'],
    why: 'Describes all registered routes, so it needs to import no feature.',
  },
  'server/live': {
    may: BASE,
    libraries: SERVER,
    why: 'Forwards notices of the database from any feature, so it imports no feature.',
  },
  'server/players': {
    may: BASE,
    libraries: SERVER,
    why: 'All other features may import players, so players import no feature.',
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
    why: 'An account is how a player signs in. Games and leagues import accounts, so accounts import neither.',
  },
  'server/leagues': {
    may: [...BASE, 'server/players', 'server/accounts', 'server/mail'],
    libraries: SERVER,
    why: 'Games, achievements and leaderboards import leagues, so leagues import none of them. Joining a team checks the session in server/accounts (P4).',
  },
  'server/venues': {
    may: [...BASE, 'server/leagues'],
    libraries: SERVER,
    why: 'Opening hours use the calendar of leagues. Machines import venues, so venues do not import machines.',
  },
  'server/achievements': {
    may: [...BASE, ...LEAGUES],
    libraries: SERVER,
    why: 'Achievements count weeks of leagues. Games import achievements, so achievements do not import games.',
  },
  'server/leaderboards': {
    may: [...BASE, ...LEAGUES, 'server/venues'],
    libraries: SERVER,
    why: 'Leaderboards rank figures of leagues, and show those of a venue. Games import leaderboards, so leaderboards do not import games.',
  },
  'server/games': {
    may: [...BASE, 'server/accounts', ...GAMES],
    libraries: SERVER,
    why: 'A game changes leagues, achievements and leaderboards. Machines import games, so games do not import machines. A report of a game checks the session in server/accounts (P4).',
  },
  'server/machines': {
    may: [...BASE, 'server/mail', ...MACHINES],
    libraries: SERVER,
    why: 'A machine records games. Screens, the court, the demo and the operator import machines, so machines import none of them.',
  },
  'server/profile': {
    may: [
      ...BASE,
      'contract/rules/profanity.ts',
      'server/mail',
      'server/players',
      'server/accounts',
      ...MACHINES,
    ],
    libraries: SERVER,
    why: 'A profile shows a player’s games and changes the account. Only the demo, the operator and server/app.ts may import it.',
  },
  'server/screens': {
    may: [...BASE, ...MACHINES, 'server/machines'],
    libraries: SERVER,
    why: 'A screen shows what games, leagues and machines record. Only the operator and server/app.ts may import it.',
  },
  'server/backup': {
    may: [...BASE, 'server/players'],
    libraries: [...SERVER, 'pg-copy-streams'],
    why: 'A backup copies tables. A restore deletes erased players again, so it imports players.',
  },
  'server/rehearsal': {
    may: [...BASE, 'server/backup', 'server/games', 'server/leaderboards', 'server/postgres'],
    libraries: SERVER,
    why: 'Upgrades a copy of a backup, in a process that the command line starts. No other room imports it.',
  },
  'server/demo': {
    may: [...BASE, ...MACHINES, 'server/machines', 'server/accounts', 'server/profile'],
    libraries: SERVER,
    why: 'Creates demo players with the functions that real players use, so it imports those features.',
  },
  'server/staff': {
    may: [...BASE, 'server/live', 'server/leagues', 'server/venues'],
    libraries: [...SERVER, '@simplewebauthn/server'],
    why: 'Staff sign in, reach venues and write lines of the audit. The operator imports staff, so staff do not import the features that they change.',
  },
  'server/staff-pages': {
    may: [...BASE, ...MACHINES, 'server/machines', 'server/accounts', 'server/staff'],
    libraries: SERVER,
    why: 'Reads what only staff see, from any feature. Only the operator imports it.',
  },
  'server/court': {
    may: [...BASE, 'server/achievements', 'server/machines', 'server/demo'],
    libraries: SERVER,
    why: 'A development machine at a venue of the demo. Only server/app.ts may import it.',
  },
  'server/operator': {
    may: [
      ...BASE,
      ...MACHINES,
      'server/machines',
      'server/staff',
      'server/staff-pages',
      'server/screens',
      'server/accounts',
      'server/profile',
      'server/mail',
      'server/backup',
      'server/demo',
    ],
    libraries: [...SERVER, 'csv-parse', 'leven'],
    why: 'The operator can do what any feature does, so it imports the features. No feature imports the operator.',
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
    why: 'Registers the routes of all features. No other file may import them.',
  },
  'server/process': {
    may: [
      ...BASE,
      'server/mail',
      'server/accounts',
      'server/players',
      'server/leaderboards',
      'server/leagues',
      'server/machines',
      'server/staff',
      'server/demo',
      'server/app.ts',
    ],
    libraries: [...SERVER, 'prom-client'],
    why: 'Opens and closes everything, so only server/main.ts may import it.',
  },
  'server/main.ts': {
    may: ['server', 'server/postgres', 'server/process', 'standin'],
    libraries: ['node', 'fastify'],
    why: 'The entry of the process. Only development loads the stand-in.',
  },
  'server/system': {
    may: [],
    libraries: [],
    why: 'Holds only tests of the whole server.',
    tests: true,
  },

  'web/ui': {
    may: [],
    libraries: ['react', 'qr'],
    why: 'All parts of the web app and of the console may import these components, so they import neither router nor API nor feature.',
  },
  'web/styles': { may: [], libraries: [], why: 'Style sheets only.' },
  'web/router.tsx': {
    may: ['contract'],
    libraries: ['react'],
    why: 'Pages import the router, so it imports no page.',
  },
  'web/api': {
    may: ['contract', 'contract/rules/profanity.ts'],
    libraries: ['@tanstack/react-query'],
    why: 'Screens and the session import the API client, so it imports neither. Callers pass what it needs.',
  },
  'web/avatar': {
    may: ['contract', 'web/ui'],
    libraries: ['react'],
    why: 'Only draws, so it imports neither the API nor the session.',
  },
  'web/offline': {
    may: ['contract'],
    libraries: ['workbox-precaching', 'workbox-routing'],
    why: 'Installs and runs the service worker, which needs no page.',
  },
  'web/session': {
    may: ['contract', 'web/ui', 'web/api', 'web/router.tsx'],
    libraries: ['react', '@tanstack/react-query'],
    why: 'Features import the session, so it imports no feature.',
  },
  'web/slip': {
    may: ['contract', 'web/ui', 'web/api', 'web/session', 'web/router.tsx'],
    libraries: ['react', '@tanstack/react-query'],
    why: 'The shell, the pass and the code page show the slip, so it imports none of them.',
  },
  'web/shell': {
    may: ['contract', 'web/ui', 'web/api', 'web/session', 'web/slip', 'web/router.tsx'],
    libraries: ['react', '@tanstack/react-query'],
    why: 'Pages import the frame around them, so the frame imports no page.',
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
    why: 'Maps addresses to pages, so it imports all features.',
  },
  'web/App.tsx': {
    may: ['web/ui', 'web/api', 'web/session', 'web/shell', 'web/router.tsx', 'web/routes.tsx'],
    libraries: ['react'],
    why: 'Puts the providers around the routes.',
  },
  'web/paint': {
    may: ['contract', 'web/api', 'web/session', 'web/profile', 'web/router.tsx', 'web/App.tsx'],
    libraries: ['react', 'react-dom'],
    why: 'The build renders the first paint from the app itself, so this folder imports the app.',
  },
  'web/main.tsx': {
    may: ['web/api', 'web/session', 'web/styles', 'web/paint', 'web/router.tsx', 'web/App.tsx'],
    libraries: ['react', 'react-dom'],
    why: 'The entry of the web app in the browser.',
  },

  'screen/styles': { may: ['web/styles'], libraries: [], why: 'Style sheets only.' },
  screen: {
    may: ['contract', 'screen/styles'],
    libraries: ['qr'],
    why: 'A television with an old browser loads this page as one small script, so it imports little.',
  },

  'cabinet/client/call.ts': {
    may: [],
    libraries: [],
    why: 'The court also runs this file, in a browser, so it imports nothing of Node.',
  },
  'cabinet/client/sender.ts': {
    may: ['contract', 'cabinet/client/call.ts'],
    libraries: ['zod'],
    why: 'The court also runs this file, in a browser, so it imports nothing of Node.',
  },
  'console/ui': {
    may: ['contract', 'web/ui', 'console/api'],
    libraries: ['react'],
    why: 'All screens of the console may import these components, so they import no screen.',
  },
  'console/styles': { may: [], libraries: [], why: 'Style sheets only.' },
  'console/router.tsx': {
    may: [],
    libraries: ['react'],
    why: 'Screens import the router, so it imports no screen.',
  },
  'console/api': {
    may: ['contract'],
    libraries: ['@tanstack/react-query'],
    why: 'Sends calls and receives events. Screens import it, so it imports no screen.',
  },
  'console/session': {
    may: ['contract', 'console/ui', 'console/api'],
    libraries: ['react'],
    why: 'Who is signed in, and their venue. Screens import it, so it imports no screen.',
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
    why: 'Screens import the frame around them, so the frame imports no screen.',
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
    why: 'Maps addresses to screens, so it imports all folders of screens.',
  },
  'console/App.tsx': {
    may: [...consoleFeature.may, 'console/door', 'console/routes.tsx'],
    libraries: ['react', '@tanstack/react-query'],
    why: 'Shows the sign-in pages (console/door) or the console.',
  },
  'console/main.tsx': {
    may: ['web/styles', 'console/styles', 'console/shell', 'console/App.tsx'],
    libraries: ['react', 'react-dom'],
    why: 'The entry of the console.',
  },

  'cabinet/client': {
    may: ['contract', 'cabinet/client/call.ts', 'cabinet/client/sender.ts'],
    libraries: ['node', 'zod'],
    why: 'Runs on the machine and reaches the server only over HTTP, so it imports no server code.',
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
    why: 'A machine in the browser, for development. It reaches the server only over HTTP, so it imports no server code.',
  },
  'court/vite.config.ts': {
    may: [],
    libraries: ['vite', '@vitejs/plugin-react'],
    why: 'Configuration of the build of the court.',
  },
  'cabinet/conformance': {
    may: ['contract'],
    libraries: ['node', 'zod'],
    why: 'Tests any client from outside, so it imports no client.',
  },
  'cabinet/arcade': {
    may: ['contract', 'cabinet/client', 'cabinet/client/sender.ts'],
    libraries: ['node', 'zod'],
    why: 'Simulates machines with the client of real machines, so it imports that client.',
  },
  cli: {
    may: ['contract'],
    libraries: ['node', 'commander', 'qr', 'zod'],
    why: 'The commands reach the server only over HTTP, so they import no server code.',
  },
  standin: {
    may: [],
    libraries: ['node', 'oidc-provider'],
    why: 'Acts as an external identity provider, so it imports nothing of this app.',
  },

  testing: {
    may: ['contract', 'cli'],
    libraries: ['node', 'pg', 'postal-mime', 'smtp-server', 'vitest'],
    why: 'What all tests share. It reaches the app only from outside, so that browser tests, benches and trials may import it.',
    tests: true,
  },
  'testing/app': {
    may: ['contract', 'testing', 'server/'],
    libraries: [...SERVER, 'vitest', 'fast-check'],
    why: 'Runs the app inside the process of a test, so only tests of the server may import it.',
    tests: true,
  },
  scripts: {
    may: ['contract', 'server/main.ts'],
    libraries: ['node', 'acorn', 'vite'],
    why: 'Install, start, build and test the app. `npm start` loads server/main.ts into its own process.',
  },
  'scripts/test.ts': {
    may: ['testing'],
    libraries: ['node'],
    why: 'Runs all checks and tests.',
    tests: true,
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
      'contract/rules/profanity.ts',
      'testing',
      'standin',
      'trials',
      'playwright.config.ts',
    ],
    libraries: [
      'node',
      '@playwright/test',
      'axe-core',
      'jsqr',
      'pg',
      'pngjs',
      'postal-mime',
      'sharp',
      'smtp-server',
    ],
    why: 'Browser tests reach the app only at its address. They import the stand-in as another identity provider.',
    tests: true,
  },
  bench: {
    may: ['contract', 'testing', 'scripts'],
    libraries: [
      'node',
      '@node-rs/argon2',
      '@playwright/test',
      'fast-jwt',
      'fastify',
      'pg',
      'pg-copy-streams',
    ],
    why: 'Measures the app from outside, so it imports no app code.',
    tests: true,
  },
  trials: {
    may: ['contract', 'testing', 'bench'],
    libraries: ['node', 'pg', 'smtp-server'],
    why: 'Injects faults from outside, under the load of the bench, so it imports no app code.',
    tests: true,
  },
};

/**
 * What the tests of a top-level folder may import, besides what their room may import. The
 * key '' means all tests. No file imports a test, so tests make no circle.
 */
const TESTS: Record<string, Pick<Room, 'may' | 'libraries'>> = {
  '': { may: [], libraries: ['node', 'vitest', 'fast-check'] },
  contract: { may: ['contract/'], libraries: [] },
  server: {
    may: [
      'contract',
      'contract/rules/profanity.ts',
      'server/',
      'testing',
      'testing/app',
      'standin',
    ],
    libraries: [
      ...SERVER,
      '@node-rs/argon2',
      '@redocly/openapi-core',
      'oazapfts',
      'postal-mime',
      'smtp-server',
    ],
  },
  // The phone's sums are checked against the server's (HAND-V1).
  web: { may: ['contract', 'server/leagues'], libraries: ['react', 'react-dom'] },
  console: { may: ['contract'], libraries: ['react', 'react-dom'] },
  cabinet: { may: ['cabinet/', 'testing'], libraries: [] },
};

/** Files that may import computed paths. */
const COMPUTED = [
  'scripts/pages.ts',
  'bench/pair.ts',
  'bench/paint/phone.ts',
  'server/docs/openapi.test.ts',
];
/** Tests of the whole app. Any other test is beside the file that it tests. */
const TESTS_OF_NO_FILE = /^(server\/system|e2e|trials|scripts)\//;
const SERVER_ROOT_MOST = 9;

const IS_TEST = /\.(test|spec)\.tsx?$|\.child\.ts$/;
const names = Object.keys(ROOMS).sort((a, b) => b.length - a.length);

function roomOf(file: string): string | undefined {
  const tested = file.replace(/\.test\.tsx?$/, '.ts');
  const room = names.find(
    (name) => [file, tested, `${tested}x`].includes(name) || file.startsWith(`${name}/`),
  );
  // Only files directly in server/ belong to `server`.
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
  if (room === undefined || row === undefined)
    return `${from} is in no folder of the table in scripts/walls.ts: add a row`;
  const isTest = IS_TEST.test(from);
  const extra = isTest ? ['', from.split('/')[0] ?? ''].map((area) => TESTS[area]) : [];
  const why = `, which the row ${room} in scripts/walls.ts does not allow: ${row.why}`;

  if ('computed' in to)
    return COMPUTED.includes(from)
      ? undefined
      : `${from} computes a path to import: ${to.computed}`;
  if ('library' in to)
    return [row, ...extra].some((one) => one?.libraries.includes(to.library))
      ? undefined
      : `${from} imports ${to.library}${why}`;

  const arrow = `${from} imports ${to.file}`;
  const target = roomOf(to.file);
  if (target === undefined)
    return `${arrow}, which is in no folder of the table in scripts/walls.ts: add a row`;
  if (/\.(test|spec)\.tsx?$/.test(to.file)) return `${arrow}: no file may import a test`;
  if (!isTest && !row.tests && (IS_TEST.test(to.file) || ROOMS[target]?.tests))
    return `${arrow}: production code must not import test code`;
  if (target === room) return undefined;
  if (/^server\/[^/]+\/routes\.ts$/.test(to.file) && from !== 'server/app.ts')
    return `${arrow}: only server/app.ts may import a feature's routes; import another file of the feature`;
  const may = [row, ...extra].flatMap((one) => expand(one?.may ?? []));
  return may.includes(target) ? undefined : `${arrow}${why}`;
}

/** Imports that would load zod in the browser: only types are allowed. */
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

function misplaced(files: string[], imports: Import[]): string[] {
  const root = files.filter((file) => /^server\/[^/]+$/.test(file) && !IS_TEST.test(file));
  const beside = (test: string) => test.replace(/\.test\.tsx?$/, '');
  const lost = files
    .filter((file) => /\.test\.tsx?$/.test(file) && !TESTS_OF_NO_FILE.test(file))
    .filter((test) => !['.ts', '.tsx', '.mjs'].some((end) => files.includes(beside(test) + end)))
    // A test `x.test.ts` with no `x.ts` beside it must import a file of the same folder, and must
    // not be directly in server/.
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
      ? [`server/ holds ${root.length} modules at its root; the limit is ${SERVER_ROOT_MOST}`]
      : []),
    ...lost.map((test) => `${test} tests no file beside it`),
    ...names
      .filter((room) => !files.some((file) => file === room || file.startsWith(`${room}/`)))
      .map((room) => `${room} has a row in scripts/walls.ts but no file`),
  ];
}

export type Verdict = {
  /** What each room imports, without tests. */
  arrows: Map<string, Set<string>>;
  /** Files that import each other, types included. */
  circles: string[][];
  /** Circles that the `may` lists would allow. */
  tableCircles: string[][];
  /** Imports that the table refuses. */
  climbing: string[];
  misplaced: string[];
};

/**
 * Checks files against the table.
 * @param sources each file's text, by path
 */
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
  for (const line of climbing) console.log(`forbidden: ${line}`);
  for (const line of misplaced) console.log(`misplaced: ${line}`);
  const found = [circles.length + tableCircles.length, climbing.length, misplaced.length];
  console.log(
    `${sources.size} files: ${found[0]} circles, ${found[1]} forbidden imports, ${found[2]} misplaced`,
  );
  if (found.some((count) => count > 0)) process.exitCode = 1;
}

if (import.meta.main) main();
