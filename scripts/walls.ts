import { join, posix } from 'node:path';
import { circlesOf, type Import, importsOf, readSources } from './imports.ts';

/*
 * SIDES lists the rooms of each side in order. A room may import the rooms listed above it, and
 * whatever its side may import. The code below finds forbidden imports, misplaced files and
 * circles.
 */

type Side = {
  /** Each room may import those before it, but rooms between brackets never import each other. */
  rooms: string;
  /** Rooms of other sides; `x/*` means all rooms in x. */
  may: string;
  why: string;
  /** Only tests may import these rooms. */
  tests?: true;
};

/** What a browser loads, which must not have zod. */
const BROWSER = /^(web|console|screen)\//;

const SIDES: Side[] = [
  {
    rooms: 'contract/rules/profanity.ts contract/rules contract/wire',
    may: '',
    why: 'All sides import the contract, and browsers its rules: only wire may import zod.',
  },
  {
    rooms: 'brand',
    may: '',
    why: 'The pages draw with it, also those for old televisions, so it imports nothing of ours.',
  },
  {
    rooms: `
      server/postgres server server/db server/http server/mail server/deps.ts server/docs
      server/live server/players server/accounts server/leagues server/venues
      server/push server/duels server/weeks server/nudges
      server/contests server/cups server/friends server/achievements server/leaderboards server/games server/machines server/profile
      server/screens server/staff server/backup server/rehearsal server/demo server/court
      server/staff-pages server/operator server/app.ts server/process server/main.ts`,
    may: 'contract/*',
    why: 'A room of the server may import only the rooms above it in the list.',
  },
  {
    rooms: `
      web/ui web/styles web/router.tsx web/avatar web/api web/offline web/session web/slip
      web/shell web/duels [ web/auth web/profile web/account web/games web/league web/leaderboard web/friends
      web/achievements web/join web/contest web/legal ] web/player-pages.tsx web/routes.tsx web/App.tsx web/paint
      web/main.tsx`,
    may: 'brand contract/*',
    why: 'Features of the web app must not import each other; web/routes.tsx and web/player-pages.tsx combine them.',
  },
  {
    rooms: `
      console/styles console/router.tsx console/api console/ui console/session console/shell
      [ console/door console/tonight console/machine console/more console/screens
      console/inbox console/contests console/leagues console/players console/staff console/system ]
      console/routes.tsx console/App.tsx console/main.tsx`,
    may: 'brand contract/* web/ui web/styles',
    why: 'Features of the console must not import each other; console/routes.tsx combines them.',
  },
  {
    rooms: 'screen/styles screen',
    may: 'brand contract/*',
    why: 'A television with an old browser loads this page as one small script, so it imports little.',
  },
  {
    rooms: `
      cabinet/client/call.ts cabinet/client/sender.ts cabinet/conformance cabinet/client
      cabinet/arcade`,
    may: 'contract/*',
    why: 'Runs on the machine and reaches the server only over HTTP.',
  },
  {
    rooms: 'court/styles court',
    may: 'brand contract/* cabinet/client/call.ts cabinet/client/sender.ts web/ui web/avatar web/styles',
    why: 'A machine in the browser, for development. It reaches the server only over HTTP.',
  },
  {
    rooms: 'cli',
    may: 'contract/*',
    why: 'The commands reach the server only over HTTP.',
  },
  {
    rooms: 'standin',
    may: '',
    why: 'Acts as an external identity provider, so it imports nothing of this app.',
  },
  {
    rooms: 'scripts court/vite.config.ts vite.console.config.ts vite.config.ts',
    may: 'contract/* server/main.ts',
    why: 'Install, start, build and test the app.',
  },
  {
    rooms: 'vitest.config.ts playwright.config.ts testing',
    may: 'contract/* cli',
    why: 'What all tests share reaches the app only from outside.',
    tests: true,
  },
  {
    rooms: 'testing/app server/system',
    may: 'contract/* testing server/*',
    why: 'Runs the app inside the process of a test, so only tests of the server may import it.',
    tests: true,
  },
  {
    rooms: 'scripts/test.ts bench trials e2e',
    may: 'contract/* testing scripts standin playwright.config.ts',
    why: 'Tests, measures and breaks the app from outside, so it imports no app code.',
    tests: true,
  },
];

/** Rooms that import nothing else of their side: each could be a package of its own. */
const ALONE = ['server/postgres', 'web/ui', 'cabinet/client/call.ts'];

/** What single rooms may import in addition. */
const BESIDES: Record<string, string> = { 'server/main.ts': 'standin', 'web/ui': 'brand' };

/** What the tests of a top-level folder may import in addition. */
const TESTS: Record<string, string> = {
  brand: 'contract/*',
  contract: 'contract/*',
  server: 'contract/* server/* testing testing/app standin',
  // The phone's sums are checked against the server's (HAND-V1).
  web: 'server/leagues',
  cabinet: 'cabinet/* testing',
};

/** Libraries that code other than tests must not import; `node` means Node's own modules. */
const REFUSED: [where: RegExp, libraries: RegExp, why: string][] = [
  [/^contract\/rules\/(?!profanity)/, /./, 'browsers load the rules, so they import no library'],
  [/^contract\/rules\/profanity/, /^(?!obscenity$)/, 'browsers load it'],
  [/^contract\/wire\//, /^(?!zod$)/, 'a body or an answer is a schema of zod and nothing else'],
  [/^server\/postgres\//, /^(?!node$)/, 'it could be a package of its own'],
  [/^brand\//, /^(?!lean-qr$)/, 'the screen draws with it too'],
  [/^web\/ui\//, /^(?!react$)/, 'the console and the court draw with it too'],
  [/^(web|console|screen)\//, /^zod$/, 'its bytes must not reach a browser'],
  [/^(web|console|screen|court)\//, /^(node|pg|kysely|fastify)$/, 'a browser cannot run it'],
  [/^(cabinet|cli|e2e|trials)\//, /^(kysely|fastify)$/, 'it reaches the server only over HTTP'],
  [/^(server|cabinet|cli|standin|scripts)\//, /^react/, 'only browsers draw'],
  [
    /^(brand|contract|server|web|console|screen|court|cabinet|cli|standin)\//,
    /^(vitest|fast-check|smtp-server|postal-mime|@playwright\/test)$/,
    'only tests may import it',
  ],
];

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

const roomsOf = ({ rooms }: Side): string[] => rooms.match(/[^\s[\]]+/g) ?? [];
const sideOf = new Map(SIDES.flatMap((side) => roomsOf(side).map((room) => [room, side])));
const names = [...sideOf.keys()].sort((a, b) => b.length - a.length);

function roomOf(file: string): string | undefined {
  const tested = file.replace(/\.test\.tsx?$/, '.ts');
  const room = names.find(
    (name) => [file, tested, `${tested}x`].includes(name) || file.startsWith(`${name}/`),
  );
  // Only files directly in server/ belong to `server`.
  return room === 'server' && file.split('/').length > 2 ? undefined : room;
}

const covers = (name: string, room: string) =>
  name === room ||
  (name.endsWith('/*') && (room === name.slice(0, -2) || room.startsWith(name.slice(0, -1))));

/** The rooms of its own side that a room may import: those above it, without its group. */
function above(room: string, side: Side): string[] {
  if (ALONE.includes(room)) return [];
  const [, group = ''] = /\[([^\]]*)\]/.exec(side.rooms) ?? [];
  const apart = group.split(/\s+/).includes(room) ? group.split(/\s+/) : [];
  const rooms = roomsOf(side);
  return rooms.slice(0, rooms.indexOf(room)).filter((name) => !apart.includes(name));
}

function refusal({ from, to, types }: Import): string | undefined {
  const room = roomOf(from);
  const side = room === undefined ? undefined : sideOf.get(room);
  if (room === undefined || side === undefined)
    return `${from} is in no room of scripts/walls.ts: add it to the list`;
  const isTest = IS_TEST.test(from);

  if ('computed' in to)
    return COMPUTED.includes(from) ? undefined : `${from} computes a path: ${to.computed}`;
  if ('library' in to) {
    const rule = REFUSED.find(([where, names]) => where.test(from) && names.test(to.library));
    return rule && !isTest ? `${from} imports ${to.library}: ${rule[2]}` : undefined;
  }

  const arrow = `${from} imports ${to.file}`;
  const target = roomOf(to.file);
  if (target === undefined)
    return `${arrow}, which is in no room of scripts/walls.ts: add it to the list`;
  if (/\.(test|spec)\.tsx?$/.test(to.file)) return `${arrow}: no file may import a test`;
  if (!isTest && !side.tests && (IS_TEST.test(to.file) || sideOf.get(target)?.tests))
    return `${arrow}: production code must not import test code`;
  if (target === room) return undefined;
  if (BROWSER.test(from) && !isTest && !types && target === 'contract/wire')
    return `${arrow}, whose values bring zod into the browser: import types`;
  if (/^server\/[^/]+\/routes\.ts$/.test(to.file) && from !== 'server/app.ts')
    return `${arrow}: only server/app.ts may import a feature's routes; import another file of the feature`;
  const given = [
    ALONE.includes(room) ? '' : side.may,
    BESIDES[room] ?? '',
    isTest ? (TESTS[from.split('/')[0] ?? ''] ?? '') : '',
  ];
  const may = [...above(room, side), ...given.flatMap((names) => names.split(' '))];
  return may.some((name) => covers(name, target))
    ? undefined
    : `${arrow}, which the list in scripts/walls.ts does not allow to ${room}: ${side.why}`;
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
      .map((room) => `${room} is in the list of scripts/walls.ts but has no file`),
  ];
}

export type Verdict = {
  /** What each room imports, without tests. */
  arrows: Map<string, Set<string>>;
  /** Files, or top-level folders, that import each other, types included. */
  circles: string[][];
  /** Imports that the list refuses. */
  climbing: string[];
  misplaced: string[];
};

/**
 * Checks files against the list.
 * @param sources each file's text, by path
 */
export function judge(sources: Map<string, string>): Verdict {
  const code = [...sources].filter(([file]) => /\.(tsx?|mjs|js)$/.test(file));
  const imports = code.flatMap(([file, source]) => importsOf(file, source));
  const arrows = new Map<string, Set<string>>();
  const graph = new Map<string, Set<string>>(code.map(([file]) => [file, new Set()]));
  const top = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    if ('file' in to) graph.get(from)?.add(to.file);
    const room = roomOf(from);
    const target = 'file' in to ? roomOf(to.file) : 'library' in to ? to.library : undefined;
    if (!room || !target || room === target || target === 'node' || IS_TEST.test(from)) continue;
    arrows.set(room, (arrows.get(room) ?? new Set()).add(target));
    const [folder = '', into = ''] = [from, target].map((path) => path.split('/')[0]);
    if ('file' in to && folder !== into) top.set(folder, (top.get(folder) ?? new Set()).add(into));
  }
  return {
    arrows,
    circles: [...circlesOf(graph), ...circlesOf(top)],
    climbing: imports.map(refusal).filter((text) => text !== undefined),
    misplaced: misplaced([...sources.keys()], imports),
  };
}

function main(): void {
  const sources = readSources(join(import.meta.dirname, '..'));
  const { arrows, circles, climbing, misplaced } = judge(sources);
  for (const room of sideOf.keys()) {
    const targets = [...(arrows.get(room) ?? [])].sort();
    console.log(`${room.padEnd(28)} ${targets.join(', ') || '–'}`);
  }
  console.log();
  for (const circle of circles) console.log(`circle: ${circle.join(', ')}`);
  for (const line of climbing) console.log(`forbidden: ${line}`);
  for (const line of misplaced) console.log(`misplaced: ${line}`);
  console.log(
    `${sources.size} files: ${circles.length} circles, ${climbing.length} arrows up, ${misplaced.length} misplaced`,
  );
  if (circles.length + climbing.length + misplaced.length > 0) process.exitCode = 1;
}

if (import.meta.main) main();
