import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { CONSOLE_PAGES, type ConsolePage } from '#contract/rules/console-pages.ts';
import { program } from './program.ts';

const CONSOLE = join(import.meta.dirname, '../console');
const OPENAPI = join(import.meta.dirname, '../docs/openapi.json');

/** Each command's console page, and the call that the page makes. */
const PAGES: Record<string, [page: ConsolePage, call: string]> = {
  'venue add': ['/console/machines/add', 'addMachine'],
  'venue list': ['/console/machines/:id', 'listVenues'],
  'venue hours': ['/console/machines/:id', 'changeVenue'],
  'venue timezone': ['/console/machines/:id', 'changeVenue'],
  'machine add': ['/console/machines/add', 'addMachine'],
  'machine list': ['/console/', 'readTonight'],
  'machine rotate': ['/console/machines/:id/key', 'rotateMachine'],
  'machine stop-old-key': ['/console/machines/:id', 'stopOldKey'],
  'machine repair': ['/console/machines/:id', 'markRepair'],
  'machine move': ['/console/machines/:id', 'changeMachine'],
  'machine rename': ['/console/machines/:id', 'changeMachine'],
  'machine revoke': ['/console/machines/:id', 'revokeMachine'],
  'screen add': ['/console/screens', 'addScreen'],
  'screen list': ['/console/screens', 'listScreens'],
  'screen change': ['/console/screens/:id', 'changeScreen'],
  'screen slides': ['/console/screens/:id', 'changeScreen'],
  'screen still': ['/console/screens/:id', 'changeScreen'],
  'screen notice': ['/console/screens', 'setNotice'],
  'screen remove': ['/console/screens/:id', 'removeScreen'],
  'alerts list': ['/console/more', 'listAlerts'],
  'alerts set': ['/console/more', 'setAlerts'],
  'alerts off': ['/console/more', 'setAlerts'],
  'league create': ['/console/leagues', 'makeLeague'],
  'league list': ['/console/leagues', 'listLeagues'],
  'league show': ['/console/leagues/:id', 'readLeague'],
  'league rename': ['/console/leagues/:id', 'renameLeague'],
  'league joining': ['/console/leagues/:id', 'setJoining'],
  'league import': ['/console/leagues/:id/import', 'importRoster'],
  'team create': ['/console/leagues/:id', 'addTeams'],
  'team rename': ['/console/leagues/teams/:id', 'renameTeam'],
  'team delete': ['/console/leagues/teams/:id', 'deleteTeam'],
  'team list': ['/console/leagues/:id', 'readLeague'],
  'team add': ['/console/leagues/teams/:id', 'addToTeam'],
  'team remove': ['/console/leagues/teams/:id', 'movePlayers'],
  'team code': ['/console/leagues/teams/:id', 'newTeamCode'],
  'team requests': ['/console/inbox', 'readInbox'],
  'team accept': ['/console/leagues/teams/:id', 'decideRequest'],
  'team enter': ['/console/leagues/:id/season', 'enterTeam'],
  'team withdraw': ['/console/leagues/:id/season', 'withdrawTeam'],
  'team decline': ['/console/leagues/teams/:id', 'decideRequest'],
  'team reopen': ['/console/leagues/teams/:id', 'reopenRequest'],
  'schedule generate': ['/console/leagues/:id/weeks', 'makeWeeks'],
  'schedule show': ['/console/leagues/:id/weeks', 'readLeague'],
  'schedule clear': ['/console/leagues/:id/weeks', 'clearWeeks'],
  'schedule swap': ['/console/leagues/:id/season', 'swapOpponents'],
  'schedule postpone': ['/console/leagues/:id/season', 'postponeWeek'],
  'schedule rule': ['/console/leagues/:id/season', 'ruleMatchup'],
  'season list': ['/console/leagues/:id/season', 'listSeasons'],
  'season show': ['/console/leagues/:id/season', 'readSeason'],
  'season next': ['/console/leagues/:id/next', 'makeNextSeason'],
  'season change': ['/console/leagues/:id/season', 'changeSeason'],
  'season drop': ['/console/leagues/:id/season', 'dropSeason'],
  'season end': ['/console/leagues/:id/season', 'endSeason'],
  'season correct': ['/console/leagues/:id/season', 'correctSeason'],
  'season leave': ['/console/leagues/:id/season', 'leaveSeason'],
  standings: ['/console/leagues/:id', 'readLeague'],
  'league venue': ['/console/leagues/:id', 'setLeagueVenue'],
  'contest create': ['/console/contests', 'makeContest'],
  'contest list': ['/console/contests', 'listContests'],
  'contest show': ['/console/contests/:id', 'readContest'],
  'contest change': ['/console/contests/:id', 'changeContest'],
  'contest stop': ['/console/contests/:id', 'stopContest'],
  'contest cancel': ['/console/contests/:id', 'cancelContest'],
  'contest again': ['/console/contests', 'repeatContest'],
  'contest code': ['/console/contests/:id/poster', 'readContestPoster'],
  'contest correct': ['/console/contests/:id', 'correctContest'],
  'contest leave': ['/console/contests/:id', 'leaveContest'],
  'cup create': ['/console/contests/cups/new', 'makeCup'],
  'cup list': ['/console/contests', 'listCups'],
  'cup show': ['/console/contests/cups/:id', 'readCup'],
  'cup seeds': ['/console/contests/cups/:id', 'seedCup'],
  'cup draw': ['/console/contests/cups/:id', 'drawCup'],
  'cup sides': ['/console/contests/cups/:id', 'changeCupSides'],
  'cup windows': ['/console/contests/cups/:id', 'moveCupWindows'],
  'cup withdraw': ['/console/contests/cups/:id', 'withdrawFromCup'],
  'cup decide': ['/console/contests/cups/:id', 'decideCup'],
  'cup correct': ['/console/contests/cups/:id', 'correctCup'],
  'cup leave': ['/console/contests/cups/:id', 'leaveCup'],
  'cup cancel': ['/console/contests/cups/:id', 'cancelCup'],
  'held list': ['/console/inbox', 'readInbox'],
  'held release': ['/console/inbox', 'decideCase'],
  'held return': ['/console/inbox', 'undoCase'],
  'held discard': ['/console/inbox', 'decideCase'],
  'game list': ['/console/players/:id', 'readPlayer'],
  'game void': ['/console/players/:id', 'correctGame'],
  'game restore': ['/console/players/:id', 'correctGame'],
  'report list': ['/console/inbox', 'readInbox'],
  'report settle': ['/console/inbox', 'decideCase'],
  'report reopen': ['/console/inbox', 'undoCase'],
  search: ['/console/', 'searchAll'],
  'player search': ['/console/players', 'searchPlayers'],
  'player show': ['/console/players/:id', 'readPlayer'],
  'player sign-out': ['/console/players/:id', 'signOutPlayer'],
  'player change-email': ['/console/players/:id', 'proposeAddress'],
  'player confirm-email': ['/console/players/:id', 'confirmAddress'],
  'player birthdate': ['/console/players/:id', 'correctBirthdate'],
  'player delete': ['/console/players/:id', 'deletePlayer'],
  'staff add': ['/console/staff', 'addStaff'],
  'staff list': ['/console/staff', 'listStaff'],
  'staff change': ['/console/staff', 'changeStaff'],
  'staff link': ['/console/staff', 'newLink'],
  'staff unlink': ['/console/staff', 'takeLinkBack'],
  'staff sessions': ['/console/staff', 'listSessions'],
  'staff sign-out': ['/console/staff', 'endSession'],
  'staff remove-device': ['/console/staff', 'removeStaffDevice'],
  'staff remove': ['/console/staff', 'removeStaff'],
  'audit list': ['/console/staff/audit', 'listAudit'],
  'audit export': ['/console/staff/audit', 'auditExport'],
  status: ['/console/system', 'readSystem'],
};

/** The commands without a page, with reasons. */
const WITHOUT: Record<string, string> = {
  backup: 'The file holds every address and password hash; the operator key alone reads it.',
  restore: 'It replaces everything, staff and sessions too.',
  rebuild:
    'It locks the figures while it runs, and repairs what a released version does not break.',
  rehearse: 'It needs no server: it is for the time before the new version runs.',
  'push status': 'Whoever has the shell mends what is between the server and a push service.',
  'push rotate': 'It follows a lost SECRET_KEY, which only whoever has the shell can replace.',
  demo: 'It fills an empty installation with made-up people.',
};

const leaves = (command: Command, words: string[] = []): string[] =>
  command.commands.length === 0
    ? [words.join(' ')]
    : command.commands.flatMap((one) => leaves(one, [...words, one.name()]));

test('OPS-20: each command has a console page, or a reason for having none', () => {
  const known = [...Object.keys(PAGES), ...Object.keys(WITHOUT)];
  expect(leaves(program()).sort()).toEqual(known.sort());
  expect(Object.values(WITHOUT).every((reason) => reason.endsWith('.'))).toBe(true);
});

test('OPS-20: the page of each command exists, and the console makes the command’s call', () => {
  const calls = readFileSync(join(CONSOLE, 'api/calls.ts'), 'utf8');
  const texts = globSync('*/*.{ts,tsx}', { cwd: CONSOLE })
    .filter((file) => !/^api\/|\.test\./.test(file))
    .map((file) => readFileSync(join(CONSOLE, file), 'utf8'));
  for (const [command, [page, call]] of Object.entries(PAGES)) {
    expect([command, page in CONSOLE_PAGES]).toEqual([command, true]);
    expect([command, calls.includes(`export const ${call} =`)]).toEqual([command, true]);
    const used = texts.some(
      (text) => (text.match(new RegExp(`\\b${call}\\b`, 'g')) ?? []).length > 1,
    );
    expect([command, call, used]).toEqual([command, call, true]);
  }
});

/** The operator's calls that no command makes, with reasons. */
const UNCALLED: Record<string, string> = {
  'GET players/': 'A simulated arcade calls it.',
  'GET players/page/': 'player show, game list and audit list have its parts.',
  'GET tonight/': 'machine list, held list, report list and standings have its parts.',
  'GET tonight/count/': 'It is the number of the ball beside the word Tonight.',
  'GET machines/page/': 'machine list has the state; the page adds advice, a chart and each key.',
  'GET teams/page/': 'league show, team requests and team code have its parts.',
  'POST teams/several/': 'team create makes one, and league import those of a file.',
  'GET teams/posters/': 'The posters are pages to print; team code prints a code and its address.',
  'GET teams/poster/': 'The poster is a page to print; team code prints its code and address.',
  'GET screens/waiting/': 'It finds a television while staff type; screen add finds it itself.',
  'GET screens/preview/': 'It is a picture of the screen.',
  'GET inbox/': 'held list, report list and team requests have its parts.',
  'GET inbox/decided/': 'The refusal of a second decision says it.',
  'GET inbox/decisions/': 'audit list has them.',
};

test('OPS-02: each operator call has a command, or a reason for having none', () => {
  const sources = globSync('*.ts', { cwd: import.meta.dirname })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const methods: Record<string, string> = { download: 'GET', follow: 'POST', remove: 'DELETE' };
  const made = sources
    .flatMap((text) => [
      ...text.matchAll(/\.(get|post|put|remove|download|follow)\(\s*(?:\w+,\s*)?['`]([^'`]*)/g),
    ])
    .map(([, call = '', path = '']) => {
      const method = methods[call] ?? call.toUpperCase();
      return `${method} ${path.replace(/\$\{query\}$/, '').replace(/\$\{\w+\}/g, '{}')}`;
    });
  const { paths } = JSON.parse(readFileSync(OPENAPI, 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const calls = Object.entries(paths).flatMap(([path, operations]) => {
    const [, name] = /^\/api\/operator\/(.*)$/.exec(path) ?? [];
    return name === undefined
      ? []
      : Object.keys(operations).map(
          (method) => `${method.toUpperCase()} ${name.replace(/\{\w+\}/g, '{}')}`,
        );
  });
  expect(calls.filter((call) => !made.includes(call)).sort()).toEqual(Object.keys(UNCALLED).sort());
});
