import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { program, run } from './program.ts';

let shown: { stdout: string; stderr: string };
beforeEach(() => {
  shown = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      shown[name] += text;
      return true;
    });
});
afterEach(() => vi.unstubAllEnvs());

const RULES = readFileSync(new URL('../docs/rules.md', import.meta.url), 'utf8');
/** The commands of OPS-02 and OPS-61, as the rules list them. */
const COMMANDS = ['OPS-02', 'OPS-61'].flatMap((id) => {
  const [row = ''] = RULES.match(new RegExp(`^\\| ${id} .*`, 'm')) ?? [];
  return [...row.matchAll(/`([a-z]+)`((?:,? [a-z-]+)*)/g)].flatMap(([, noun = '', verbs = '']) =>
    verbs === '' ? noun : [...verbs.matchAll(/[a-z-]+/g)].map(([verb]) => `${noun} ${verb}`),
  );
});

function leaves(command: Command, words: string[] = []): { words: string[]; command: Command }[] {
  if (command.commands.length === 0) return [{ words, command }];
  return command.commands.flatMap((one) => leaves(one, [...words, one.name()]));
}

test('the commands are those of OPS-02 and OPS-61', () => {
  expect(leaves(program()).map(({ words }) => words.join(' '))).toEqual(COMMANDS);
});

test('--help of every command has a sentence, --json and examples', async () => {
  for (const words of COMMANDS.map((command) => command.split(' '))) {
    shown.stdout = '';
    expect(await run([...words, '--help'])).toBe(0);
    expect(shown.stdout).toMatch(
      new RegExp(`^Usage: backboard ${words.join(' ')} .*\n\n[A-Z].*\\.\n`, 's'),
    );
    expect(shown.stdout).toContain('--json');
    expect(shown.stdout).toContain(`Examples:\n  ./backboard ${words.join(' ')}`);
  }
});

test('every group lists its commands with an example', async () => {
  for (const group of program().commands.filter(({ commands }) => commands.length > 0)) {
    shown.stdout = '';
    expect(await run([group.name(), '--help'])).toBe(0);
    for (const command of group.commands) expect(shown.stdout).toContain(`  ${command.name()} `);
    expect(shown.stdout).toContain(`Examples:\n  ./backboard ${group.name()} `);
  }
});

test('every example uses a command that exists', async () => {
  const known = new Set(COMMANDS);
  await run(['--help']);
  for (const { words } of leaves(program())) await run([...words, '--help']);
  const examples = [...shown.stdout.matchAll(/^ {2}\.\/backboard (\S+)(?: (\S+))?/gm)];
  expect(examples.length).toBeGreaterThan(COMMANDS.length);
  for (const [, first = '', second = ''] of examples)
    expect([first, second, known.has(first) || known.has(`${first} ${second}`)]).toEqual([
      first,
      second,
      true,
    ]);
});

test.each([
  [['held', 'discard'], 'Name a game, or --machine.'],
  [['held', 'discard', '48213', '--machine', 'Hoop 1'], 'Name a game or --machine, not both.'],
  [['game', 'void', '--machine', 'Hoop 1'], 'Name a game, or --machine, --from and --to.'],
  [['screen', 'still', 'Bar', 'maybe'], 'Write on or off.'],
])('%j exits with 2 and says why', async (words, why) => {
  expect(await run(words)).toBe(2);
  expect(shown.stderr).toMatch(`error: ${why}`);
});

test('wrong usage exits with 2 and says what is right', async () => {
  const cases: [string[], RegExp][] = [
    [[], /Usage: backboard/],
    [['machine'], /Usage: backboard machine/],
    [['machin', 'list'], /Did you mean machine/],
    [['machine', 'add'], /missing required argument 'name'/],
    [['machine', 'list', 'extra'], /too many arguments/],
    [['machine', 'list', '--jsn'], /unknown option '--jsn'/],
    [['league', 'create', 'X'], /required option '--timezone/],
    [['schedule', 'generate', 'X', '--weeks', 'ten'], /must be a whole number/],
    [['league', 'create', 'X', '--timezone', 'UTC', '--starts', 'soon'], /YYYY-MM-DD/],
    [['player', 'birthdate', 'ana@example.com', '14.9.2004'], /YYYY-MM-DD/],
    [['player', 'sign-out'], /the address of a player, or --all/],
    [['player', 'sign-out', 'ana@example.com', '--all'], /the address of a player, or --all/],
    [['report', 'settle', 'not-an-id', 'void'], /A game is named by its number/],
    [['staff', 'change', 'Ines'], /say what changes: --name, --role/],
    [['staff', 'change', 'Ines', '--everywhere', '--venue', 'X'], /cannot be used with/],
    [['screen', 'change', 'Bar'], /say what changes: --name or --venue/],
    [['season', 'change', 'X/Season 1'], /say what changes: --name, --ends/],
    [['season', 'change', 'X/Season 1', '--ends', 'never'], /Allowed choices are schedule, open/],
    [['schedule', 'postpone', 'X', '2027-01-18'], /say why: --why/],
    [['schedule', 'postpone', 'X', 'monday', '--why', 'Y'], /YYYY-MM-DD/],
    [['\u001b[31m'], /unknown command '\\u\{1b\}\[31m'/],
  ];
  for (const [args, message] of cases) {
    shown = { stdout: '', stderr: '' };
    expect([args, await run(args), shown.stdout]).toEqual([args, 2, '']);
    expect(shown.stderr).toMatch(message);
  }
});

test('a wrong address and a missing key are reported in one line, or in JSON', async () => {
  const cases: [string, string, RegExp][] = [
    ['localhost', 'key', /^BACKBOARD_URL is not an address: localhost/],
    ['', '', /^There is no operator key in \/nowhere\/operator\.key/],
  ];
  for (const [url, key, message] of cases) {
    shown.stderr = '';
    vi.stubEnv('BACKBOARD_URL', url);
    vi.stubEnv('BACKBOARD_OPERATOR_KEY', key);
    vi.stubEnv('DATA_DIR', '/nowhere');
    expect(await run(['machine', 'list'])).toBe(1);
    expect(shown.stderr).toMatch(message);
    expect(shown.stderr.trimEnd()).not.toContain('\n');
    shown.stderr = '';
    expect(await run(['machine', 'list', '--json'])).toBe(1);
    expect(JSON.parse(shown.stderr).error).toMatch(message);
  }
});
