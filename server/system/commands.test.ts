import { randomBytes, randomUUID } from 'node:crypto';
import {
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ROSTER_ROWS } from '#contract/rules/leagues.ts';
import { commandLine, LAUNCHER, operatorEnv, run } from '#testing/app/command-line.ts';
import { codeFor, linkFor } from '#testing/app/mails.ts';
import {
  makeGames,
  makeMachine,
  makePlayer,
  makeScreen,
  makeSession,
  makeStaff,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { CHANGE_CODE_WRONG } from '../accounts/address.ts';

// Commands that run as processes are slow while other tests run.
vi.setConfig({ testTimeout: 120_000 });

const t = withApp();
let cli: Awaited<ReturnType<typeof commandLine>>;
let folder: string;
beforeAll(async () => {
  cli = await commandLine(t);
  folder = await mkdtemp(join(tmpdir(), 'backboard-cli-'));
});
afterAll(async () => {
  cli.close();
  await rm(folder, { recursive: true, force: true });
});

test('status shows the version, the database, the mails, the last backup and the machines', async () => {
  const status = await cli.backboard('status');
  expect(status.code).toBe(0);
  const version = (await cli.backboard('--version')).stdout.trim();
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(status.stdout).toContain(`Backboard  ${version}, up since `);
  expect(status.stdout).toMatch(/^Database {3}PostgreSQL \d+\.\d+.*, schema \d{3}-/m);
  expect(status.stdout).toMatch(/^Mails {6}none waits$/m);
  expect(status.stdout).toMatch(/^Backup {5}none yet\. Make one: /m);
  expect(status.stdout).toMatch(/^Machines {3}\d+ machines?; none needs you$/m);
  expect(await cli.json('status')).toMatchObject({
    version,
    machines: { trouble: { silent: [] } },
  });
});

test('PUSH-45, P70: push status shows figures, and push rotate asks before it replaces the key', async () => {
  const none = await cli.backboard('push', 'status');
  expect(none.code).toBe(0);
  expect(none.stdout).toMatch(/^Key pair {3}none yet$/m);
  expect(none.stdout).toContain('No device is on.');
  const refused = await cli.backboard('push', 'rotate');
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/add --yes/);
  expect((await cli.json('push', 'status')).key).toBeNull();
  const rotated = await cli.backboard('push', 'rotate', '--yes');
  expect(rotated.stdout).toContain('Notifications have a new key pair.');
  expect((await cli.json('push', 'status')).key).toMatchObject({ old_devices: 0 });
});

test('P31a: machine add prints a working key once, and rotate, stop-old-key and revoke change it', async () => {
  const added = await cli.backboard('machine', 'add', 'Court 1', '--venue', 'Hoop House');
  expect(added.code).toBe(0);
  const key = /bbm_\S+/.exec(added.stdout)?.[0] ?? '';
  const me = (as: string) => t.call('GET', '/api/machine/', { as: { key: as } });
  expect((await me(key)).body).toMatchObject({ name: 'Court 1', venue: 'Hoop House' });

  const again = await cli.backboard('machine', 'add', 'court 1');
  expect([again.code, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toMatch(/“court 1” already/);

  const second = await cli.json('machine', 'add', 'Court 2');
  expect(Object.keys(second)).toEqual(['id', 'name', 'venue', 'key']);
  await cli.backboard('machine', 'repair', 'Court 1', '--why', 'Left net');
  const list = await cli.backboard('machine', 'list');
  expect(list.stdout).toMatch(/Court 1\s+Hoop House\s+in repair, by Command line: Left net/);
  expect(list.stdout).not.toContain(key);

  const rotated = await cli.json('machine', 'rotate', second.id);
  expect((await me(second.key)).status).toBe(200);
  expect((await me(rotated.key)).status).toBe(200);
  const stopped = await cli.backboard('machine', 'stop-old-key', 'Court 2');
  expect(stopped.stdout).toContain('The old key of Court 2 does not work any more.');
  expect([(await me(second.key)).status, (await me(rotated.key)).status]).toEqual([401, 200]);
  expect((await cli.json('machine', 'stop-old-key', 'Court 2')).stopped).toBeNull();

  const refused = await cli.backboard('machine', 'revoke', 'Court 2');
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/add --yes/);
  expect((await me(rotated.key)).status).toBe(200);
  expect(await cli.json('machine', 'revoke', 'Court 2', '--yes')).toMatchObject({ revoked: true });
  expect((await me(rotated.key)).status).toBe(403);
});

test('a destructive command asks first on a terminal, and only the answer yes confirms it', async () => {
  await cli.json('machine', 'add', 'Asked');
  const no = await cli.onTerminal('n\n', 'machine', 'revoke', 'Asked');
  expect(no.code).toBe(1);
  expect(no.stdout).toContain('Revoke “Asked”, never seen, 0 games today?');
  expect(no.stdout).toContain('Nothing was changed.');
  const state = async () =>
    (await cli.json('machine', 'list')).find(({ name }: { name: string }) => name === 'Asked')
      .revoked;
  expect(await state()).toBe(false);
  const yes = await cli.onTerminal('y\n', 'machine', 'revoke', 'Asked');
  expect(yes.code).toBe(0);
  expect(await state()).toBe(true);
});

test('an unknown name is answered with similar names', async () => {
  await cli.json('machine', 'add', 'Left hoop');
  const slip = await cli.backboard('machine', 'rotate', 'Left hop');
  expect([slip.code, slip.stderr]).toEqual([
    1,
    'There is no machine “Left hop”. Did you mean “Left hoop”?\n',
  ]);
  const none = await cli.backboard('machine', 'rotate', 'zzz');
  expect(none.stderr).toBe('There is no machine “zzz”.\n');
});

test('names with terminal escapes are refused, and printed harmlessly if they exist', async () => {
  for (const hostile of ['\u001b[2J', 'a\nb', 'a\u202eb', '\u200b', 'x'.repeat(61), '   ']) {
    const { code, stderr } = await cli.backboard('machine', 'add', hostile);
    expect([hostile, code]).toEqual([hostile, 1]);
    expect(stderr).toMatch(/A name/);
  }
  const evil = 'Evil\u001b]0;owned\u0007\r\n\u009b2J\u202e\u007f';
  await sql`insert into machines (name, created_at) values (${evil}, now())`.execute(t.db);
  for (const ran of [
    await cli.backboard('machine', 'list'),
    await cli.backboard('machine', 'list', '--json'),
    await cli.backboard('machine', 'rotate', evil),
    await cli.backboard('machine', 'rotate', `${evil}!`),
    await cli.backboard('\u001b[31mmachine'),
    await cli.backboard('league', 'import', evil, evil),
  ])
    expect((ran.stdout + ran.stderr).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const listed = await cli.json('machine', 'list');
  expect(listed.map(({ name }: { name: string }) => name)).toContain(evil);
});

test('without a server, with a wrong key, or when another program answers, the error is one plain line', async () => {
  const other = createServer((_request, response) =>
    response.writeHead(404).end('<h1>Not here</h1>'),
  );
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
  const { port } = other.address() as AddressInfo;
  const free = createServer();
  await new Promise<void>((done) => free.listen(0, '127.0.0.1', done));
  const unused = (free.address() as AddressInfo).port;
  await new Promise((done) => free.close(done));

  const cases: [NodeJS.ProcessEnv, RegExp][] = [
    [{ BACKBOARD_URL: `http://127.0.0.1:${unused}` }, /^Cannot reach .* Start it with npm start/],
    [{ BACKBOARD_URL: `http://127.0.0.1:${port}` }, /is not Backboard \(status 404\)/],
    [{ BACKBOARD_OPERATOR_KEY: 'wrong' }, /refused the operator key from BACKBOARD_OPERATOR_KEY/],
    [
      { BACKBOARD_OPERATOR_KEY: '', DATA_DIR: '/nowhere' },
      /no operator key in \/nowhere\/operator.key/,
    ],
  ];
  for (const [env, message] of cases) {
    const ran = await run(LAUNCHER, ['machine', 'list'], { env: operatorEnv(cli.url, env) });
    expect([ran.code, ran.stdout]).toEqual([1, '']);
    expect(ran.stderr).toMatch(message);
    expect(ran.stderr.trim().split('\n')).toHaveLength(1);
    const json = await run(LAUNCHER, ['machine', 'list', '--json'], {
      env: operatorEnv(cli.url, env),
    });
    expect(JSON.parse(json.stderr).error).toMatch(message);
  }
  await new Promise((done) => other.close(done));
  // Test these too, because other code sends the requests of long commands and downloads.
  for (const args of [['backup', join(folder, 'never')], ['rebuild']]) {
    const env = operatorEnv(cli.url, { BACKBOARD_OPERATOR_KEY: 'wrong' });
    const ran = await run(LAUNCHER, args, { env });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringMatching(/refused the operator key/)]);
  }
  expect(await readdir(folder)).toEqual([]);
});

test('the key is read from the file that the server writes', async () => {
  await writeFile(join(folder, 'operator.key'), `${OPERATOR_KEY}\n`, { mode: 0o600 });
  const env = operatorEnv(cli.url, { BACKBOARD_OPERATOR_KEY: undefined, DATA_DIR: folder });
  expect((await run(LAUNCHER, ['machine', 'list'], { env })).code).toBe(0);
});

test('the launcher works through a symlink and beside an old Node, or says that it is not installed', async () => {
  const old = join(folder, 'old');
  await mkdir(old);
  await writeFile(join(old, 'node'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const link = join(folder, 'bb');
  await symlink(LAUNCHER, link);
  const path = [old, '/usr/bin', '/bin'].join(delimiter);
  const ran = await run(link, ['machine', 'list'], {
    env: operatorEnv(cli.url, { PATH: path }),
    cwd: folder,
  });
  expect([ran.code, ran.stderr]).toEqual([0, '']);

  expect((await run(link, ['machin'], { env: operatorEnv(cli.url) })).code).toBe(2);

  await copyFile(LAUNCHER, join(old, 'backboard'));
  const bare = await run(join(old, 'backboard'), [], { env: { PATH: path } });
  expect([bare.code, bare.stdout]).toEqual([1, '']);
  expect(bare.stderr).toMatch(/not installed yet.*npm start/);
});

test('npm run backboard works too, with paths relative to the current folder', async () => {
  const root = dirname(LAUNCHER);
  const env = operatorEnv(cli.url, { HOME: folder });
  const ran = await run(
    'npm',
    ['--prefix', root, 'run', '--silent', 'backboard', '--', 'backup', 'typed-here.gz'],
    { env, cwd: folder },
  );
  // A backup that takes longer than a second prints its progress.
  const unexpected = ran.stderr.replace(/^ *\d+ % {2}.*\n/gm, '');
  expect([ran.code, unexpected]).toEqual([0, '']);
  expect(await readdir(folder)).toContain('typed-here.gz');
});

test('backup saves a private file and asks before replacing one, and restore loads it', async () => {
  const file = join(folder, 'b.gz');
  const player = await makePlayer(t, { username: 'Keeper' });
  const saved = await cli.backboard('backup', file);
  expect(saved.code).toBe(0);
  expect(saved.stdout).toMatch(/^Saved \d+ rows in /);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const nowhere = await cli.backboard('backup', join(folder, 'no such folder', 'b.gz'));
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    expect.stringMatching(/^Cannot write .*: choose an existing folder/),
  ]);

  const before = await readFile(file);
  expect((await cli.backboard('backup', file)).stderr).toMatch(/Replace the file .* add --yes/);
  expect((await readFile(file)).equals(before)).toBe(true);
  expect((await cli.backboard('backup', file, '--yes')).code).toBe(0);

  await sql`update players set username = 'Changed' where id = ${player.id}`.execute(t.db);
  const refused = await cli.backboard('restore', file);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'Replace everything in the database? Without a terminal, add --yes to confirm.\n',
  ]);
  const asked = await cli.onTerminal('no\n', 'restore', file);
  expect(asked.stdout).toMatch(
    /with the backup of \d{4}-\d\d-\d\d \d\d:\d\d \(\d+ rows?\)\? \[y\/N\]/,
  );
  const name = async () =>
    (
      await t.db
        .selectFrom('players')
        .select('username')
        .where('id', '=', player.id)
        .executeTakeFirstOrThrow()
    ).username;
  expect(await name()).toBe('Changed');
  const restored = await cli.json('restore', file, '--yes');
  expect(restored).toMatchObject({ deleted_again: 0, rows: expect.any(Number) });
  expect(await name()).toBe('Keeper');

  await writeFile(file, before.subarray(0, 300));
  const cut = await cli.backboard('restore', file, '--yes');
  expect([cut.code, cut.stderr]).toEqual([
    1,
    expect.stringMatching(/cut short.*Nothing was changed/),
  ]);
  const missing = await cli.backboard('restore', join(folder, 'none'), '--yes');
  expect(missing.stderr).toMatch(/^There is no file/);
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('commands take a league from its creation to its standings', async () => {
  const emails = [];
  for (let n = 0; n < 4; n += 1)
    emails.push((await makePlayer(t, { username: `Ball-${n}` })).email);
  const [ana = '', ben = '', cem = '', dora = ''] = emails;
  expect(
    (await cli.backboard('league', 'create', 'City League', '--timezone', 'Nowhere/City')).stderr,
  ).toMatch(/timezone: “Nowhere\/City” is no time zone/);
  const league = await cli.json(
    'league',
    'create',
    'City League',
    '--timezone',
    'Europe/Berlin',
    '--starts',
    '2026-01-07',
  );
  expect(league).toMatchObject({ name: 'City League', starts_on: '2026-01-05', teams: 0 });
  expect((await cli.backboard('league', 'create', 'city league', '--timezone', 'UTC')).code).toBe(
    1,
  );

  const roster = join(folder, 'roster.csv');
  await writeFile(roster, `team,email\nRattlers,${ana}\n"Lions, The",${ben}\nRattlers,${cem}\n`);
  // Unknown team names are probably typing errors (OPS-05).
  const unasked = await cli.backboard('league', 'import', 'City League', roster);
  expect([unasked.code, unasked.stderr]).toEqual([
    1,
    'The league does not have “Lions, The”, “Rattlers”. Nothing was imported. Correct the names, or add --new-teams to make them.\n',
  ]);
  const no = await cli.onTerminal('n\n', 'league', 'import', 'City League', roster);
  expect(no.stdout).toContain('Make these teams? [y/N]');
  expect(await cli.json('team', 'list', 'City League')).toEqual([]);
  expect(await cli.json('league', 'import', 'City League', roster, '--new-teams')).toEqual({
    league: 'City League',
    teams_created: 2,
    players_added: 3,
    players_moved: 0,
    unchanged: 0,
  });
  const again = await cli.backboard('league', 'import', 'City League', roster);
  expect(again.stdout).toBe('City League: 0 players added, 0 moved, 3 unchanged; 0 new teams.\n');

  expect(await cli.json('team', 'create', league.id, 'Third Wheel')).toMatchObject({
    league: 'City League',
  });
  const added = await cli.json('team', 'add', 'Third Wheel', dora.toUpperCase(), ana);
  expect(added.players).toHaveLength(2);
  expect(added.moved).toEqual([{ email: ana, moved_from: 'Rattlers' }]);
  expect((await cli.backboard('team', 'add', 'Third Whel', dora)).stderr).toMatch(
    /Did you mean “Third Wheel”/,
  );
  expect(
    (await cli.backboard('team', 'add', 'Third Wheel', 'nobody@example.com', dora)).stderr,
  ).toMatch(/^Nobody was added\. There is no account with the address nobody@example\.com\.\n$/);
  expect((await cli.json('team', 'remove', 'Third Wheel', ana)).players).toEqual([
    { email: dora, username: 'Ball-3' },
  ]);
  expect(
    (await cli.json('team', 'list', 'City League')).map(
      ({ name, players }: { name: string; players: number }) => [name, players],
    ),
  ).toEqual([
    ['Lions, The', 1],
    ['Rattlers', 1],
    ['Third Wheel', 1],
  ]);

  const made = await cli.json('schedule', 'generate', 'City League', '--weeks', '3');
  expect(made.schedule.map(({ bye }: { bye: string }) => bye).sort()).toEqual([
    'Lions, The',
    'Rattlers',
    'Third Wheel',
  ]);
  expect(
    (
      await cli.backboard(
        'schedule',
        'generate',
        'City League',
        '--weeks',
        '1',
        '--from',
        '2026-01-20',
      )
    ).stderr,
  ).toMatch(/2026-01-19 has matchups already\. Begin with 2026-01-26, or clear/);
  const shown = await cli.backboard('schedule', 'show', 'City League');
  expect(shown.stdout).toMatch(
    /^Week 1, 2026-01-05 to 2026-01-11\n {2}\S.* – .* {2}0 : 0\n {2}.* has a bye\n/,
  );
  const standings = await cli.backboard('standings', 'City League');
  expect(standings.stdout).toMatch(/TEAM\s+WON\s+DRAWN\s+LOST\s+TOTAL\n1\s+Lions, The/);
  expect(await cli.json('league', 'show', 'City League')).toMatchObject({
    weeks: 3,
    teams: [{ name: 'Lions, The' }, {}, {}],
  });
  expect((await cli.backboard('league', 'list')).stdout).toMatch(
    /City League\s+Europe\/Berlin\s+2026-01-05/,
  );
});

test('OPS-30: a team is found however its blanks and accents are written', async () => {
  await cli.json('league', 'create', 'Same\u00a0 Text', '--timezone', 'UTC');
  const [ann, bob] = [await makePlayer(t), await makePlayer(t)];
  const file = join(folder, 'same.csv');
  await writeFile(file, `Buzzer\u00a0 Caf\u00e9,${ann.email},,\r\n,,\r\n`);
  await cli.json('league', 'import', 'Same Text', file, '--new-teams');
  await writeFile(file, `Mannschaft;E-Mail-Adresse\nBuzzer Cafe\u0301;${bob.email}\n`, 'utf16le');
  await writeFile(file, Buffer.concat([Buffer.from([0xff, 0xfe]), await readFile(file)]));
  expect(await cli.json('league', 'import', 'same  text', file)).toMatchObject({
    teams_created: 0,
    players_added: 1,
  });
  expect((await cli.json('team', 'remove', ' buzzer  caf\u00c9', bob.email)).team).toBe(
    'Buzzer Café',
  );
});

test('an import with bad rows lists them with their lines, and imports nothing', async () => {
  await cli.json('league', 'create', 'Strict', '--timezone', 'UTC');
  const good = await makePlayer(t);
  const unfinished = await makePlayer(t, { username: null, email: 'half@example.com' });
  const file = join(folder, 'bad.csv');
  const lines = [
    'email,team',
    `${good.email},Alphas`,
    '',
    'nobody@example.com,Alphas',
    `${unfinished.email},Alphas`,
    'just one field',
    `"unclosed@example.com,Alphas`,
    `${good.email},Betas`,
    `x@example.com,${'x'.repeat(41)}`,
    'y@example.com,\u001b[2J',
  ];
  await writeFile(file, lines.join('\r\n'));
  const { code, stdout, stderr } = await cli.backboard('league', 'import', 'Strict', file);
  expect([code, stdout]).toEqual([1, '']);
  const named = stderr.split('\n').flatMap((line) => /:(\d+): (.*)$/.exec(line)?.slice(1) ?? []);
  expect(named).toEqual([
    '4',
    'There is no account with the address nobody@example.com.',
    '5',
    'half@example.com has not finished signing up.',
    '6',
    'A row is: email,team',
    '7',
    'A quote is not closed, or stands in the wrong place.',
    '8',
    `${good.email} is in line 2 too.`,
    '9',
    'A team name has at most 40 characters.',
    '10',
    'The team’s name “[2J” has a character that cannot be seen: type the name anew.',
  ]);
  expect(stderr).toMatch(/7 rows are wrong: nothing was imported\.\n$/);
  const json = await cli.backboard('league', 'import', 'Strict', file, '--json');
  expect(JSON.parse(json.stderr).rows).toHaveLength(7);
  expect(await cli.json('team', 'list', 'Strict')).toEqual([]);
  await writeFile(file, '\n');
  expect((await cli.backboard('league', 'import', 'Strict', file)).stderr).toBe(
    'The file has no rows.\n',
  );
  await writeFile(file, 'a\n'.repeat(ROSTER_ROWS + 1));
  expect((await cli.backboard('league', 'import', 'Strict', file)).stderr).toBe(
    'The file has 5001 rows, and an import takes 5000. Import it in parts.\n',
  );
  expect((await cli.backboard('league', 'import', 'Strict', `${file}x`)).stderr).toMatch(
    /^Cannot read /,
  );
});

test('commands release and discard held games, and void and restore games', async () => {
  const machine = await makeMachine(t);
  const player = await makePlayer(t, { username: 'Doubted' });
  const rows = await makeGames(t, machine, player, [
    { score: 10_000 },
    { score: 20_000 },
    { score: 300 },
  ]);
  const [first, second, third] = rows.map(({ game }) => game);
  const played = async () => (await cli.json('player', 'show', player.email)).games_played;
  const held = await cli.json('held', 'list');
  expect(held.total).toBe(2);
  const listed = await cli.backboard('held', 'list');
  expect(listed.stdout).toMatch(
    new RegExp(`${first} +Doubted +Court .* 10000 +higher than a score can be`),
  );

  expect(await cli.json('held', 'release', first ?? '')).toMatchObject({
    state: 'counted',
    player: 'Doubted',
  });
  expect(await played()).toBe(2);
  expect((await cli.backboard('held', 'release', first ?? '')).code).toBe(1);
  expect((await cli.backboard('held', 'discard', second ?? '')).stderr).toMatch(
    /^Discard the game of Doubted on Court .*, 20,000 points\? It then counts nowhere\. .* add --yes/,
  );
  expect(await cli.json('held', 'discard', second ?? '', '--yes')).toMatchObject({
    state: 'discarded',
  });
  expect((await cli.backboard('held', 'list')).stdout).toBe('No game is held.\n');

  expect((await cli.backboard('game', 'void', third ?? '')).stdout).toMatch(
    /^The game of Doubted on Court .* is void\.\n/,
  );
  expect(await played()).toBe(1);
  expect(await cli.json('game', 'restore', third ?? '')).toMatchObject({ state: 'counted' });
  expect(await played()).toBe(2);
  for (const command of [
    ['game', 'void'],
    ['game', 'restore'],
    ['held', 'release'],
    ['held', 'discard'],
  ]) {
    const wrong = await cli.backboard(...command, 'nonsense');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/A game is named by its number/),
    ]);
  }
  expect((await cli.backboard('game', 'void', '#999999999')).stderr).toMatch(/^There is no game/);
});

test('OPS-04: discarding and voiding the games of a machine name it in the question, and refuse a mistyped name first', async () => {
  const machine = await makeMachine(t, { name: 'Named hoop' });
  const between = ['--from', '2027-01-04T18:00', '--to', '2027-01-04T20:00'];
  for (const [command, question] of [
    [['held', 'discard'], 'Discard all held games of “Named hoop”?'],
    [['game', 'void', ...between], 'Void all games of “Named hoop” from '],
  ] as const) {
    const asked = await cli.backboard(...command, '--machine', `id:${machine.id}`);
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining(question)]);
    const slip = await cli.backboard(...command, '--machine', 'Named hop');
    expect(slip.stderr).toBe('There is no machine “Named hop”. Did you mean “Named hoop”?\n');
  }
});

test('OPS-13: game list finds a game’s number by player, machine, time and id', async () => {
  const [machine, other] = [await makeMachine(t, { name: 'Found' }), await makeMachine(t)];
  const player = await makePlayer(t, { username: 'Finder' });
  const now = t.clock.now().getTime();
  const at = (hours: number) => new Date(now - hours * 3_600_000);
  const [recent, old] = await makeGames(t, machine, player, [
    { score: 111, played_at: at(1) },
    { score: 222, played_at: at(30) },
  ]);
  const [elsewhere] = await makeGames(t, other, player, [{ score: 333, played_at: at(2) }]);
  const ids = async (...args: string[]) =>
    (await cli.json('game', 'list', ...args)).results.map(({ id }: { id: string }) => id);
  const all = [recent?.id, elsewhere?.id, old?.id];
  expect(await ids('--player', player.email.toUpperCase())).toEqual(all);
  expect(await ids('--player', 'finder')).toEqual(all);
  expect(await ids('--machine', 'found')).toEqual([recent?.id, old?.id]);
  expect((await cli.json('game', 'list', '--id', old?.id ?? '')).results).toMatchObject([
    { game: old?.game, machine: 'Found', score: 222 },
  ]);
  const since = new Date(now - 3 * 3_600_000);
  const { body } = await t.call('POST', '/api/operator/games/list/', {
    as: { key: OPERATOR_KEY },
    body: { player: player.email, since: since.toISOString() },
  });
  expect(body).toMatchObject({ total: 2, results: [{ id: recent?.id }, { id: elsewhere?.id }] });
  const shown = await cli.backboard('game', 'list', '--player', 'Finder', '--machine', 'Found');
  expect(shown.stdout).toMatch(new RegExp(`${recent?.game} +Finder +Found .* 111 +counts`));
  expect((await cli.backboard('game', 'list', '--player', 'Nobody')).stderr).toBe(
    'There is no player “Nobody”.\n',
  );
  expect((await cli.backboard('game', 'list', '--since', 'soon')).code).toBe(2);
});

test('OPS-15: commands rename or delete a mistyped team, and clear the coming weeks', async () => {
  await cli.json('league', 'create', 'Typos', '--timezone', 'UTC');
  await cli.json('team', 'create', 'Typos', 'Rim Ratlers');
  await cli.json('team', 'create', 'Typos', 'Slams');
  expect((await cli.backboard('team', 'rename', 'Rim Ratlers', 'slams')).stderr).toMatch(/already/);
  const renamed = await cli.backboard('team', 'rename', 'Rim Ratlers', 'Rim Rattlers');
  expect(renamed.stdout).toBe('The team is called Rim Rattlers now, with 0 players.\n');
  expect((await cli.json('team', 'rename', 'Rim Rattlers', 'RIM RATTLERS')).team).toBe(
    'RIM RATTLERS',
  );

  expect((await cli.backboard('league', 'rename', 'Typos', 'city league')).stderr).toMatch(
    /There is a league called “city league” already: choose another name\./,
  );
  const league = await cli.backboard('league', 'rename', 'Typos', 'Typo League');
  expect(league.stdout).toBe('The league is called Typo League now.\n');
  // In Abidjan a week begins when it does in UTC, so the season’s first week does not change.
  const back = ['league', 'rename', 'Typo League', 'Typos', '--timezone', 'Africa/Abidjan'];
  expect((await cli.backboard(...back)).stdout).toBe(
    'The league is called Typos now, in the time zone Africa/Abidjan.\n',
  );

  await cli.json('schedule', 'generate', 'Typos', '--weeks', '3');
  expect((await cli.backboard('team', 'delete', 'Slams', '--yes')).stderr).toMatch(
    /is in the schedule\. .* schedule clear/,
  );
  const question = await cli.backboard('schedule', 'clear', 'Typos');
  expect(question.stderr).toMatch(/^Clear 2 weeks of “Typos”, from week 2 \(.*\)\? .*add --yes/);
  expect(await cli.json('schedule', 'clear', 'Typos', '--yes')).toMatchObject({
    weeks_cleared: 2,
    schedule: [{ week: 1 }],
  });
  expect((await cli.json('schedule', 'clear', 'Typos', '--yes')).weeks_cleared).toBe(0);

  const player = await makePlayer(t);
  await cli.json('team', 'create', 'Typos', 'Empty');
  await cli.json('team', 'add', 'Empty', player.email);
  expect((await cli.backboard('team', 'delete', 'Empty', '--yes')).stderr).toMatch(/has players/);
  await cli.json('team', 'remove', 'Empty', player.email);
  expect((await cli.backboard('team', 'delete', 'Empty')).stderr).toMatch(
    /^Delete the team “Empty” of “Typos”\?/,
  );
  expect(await cli.json('team', 'delete', 'Empty', '--yes')).toEqual({
    team: 'Empty',
    league: 'Typos',
  });
  const names = (await cli.json('team', 'list', 'Typos')).map(({ name }: { name: string }) => name);
  expect(names).toEqual(['RIM RATTLERS', 'Slams']);
});

test('OPS-05: a roster from any spreadsheet is read: Latin-1, UTF-16, semicolons, tabs', async () => {
  await cli.json('league', 'create', 'Länder', '--timezone', 'UTC');
  const player = await makePlayer(t);
  const file = join(folder, 'excel.csv');
  const files: [string, Buffer][] = [
    ['Müller 1', Buffer.from(`Team;Email\r\nMüller 1;${player.email}\r\n`, 'latin1')],
    ['Müller 2', Buffer.from(`\ufeffMüller 2\t${player.email}\n`, 'utf16le')],
    ['Müller 3', Buffer.from(`sep=;\r\n"Müller 3";${player.email}\r\n`)],
    ['Müller; 4', Buffer.from(`"Müller; 4",${player.email}\n`)],
    // 40 letters of two UTF-16 units each: limits count letters, as the database does.
    ['🏀'.repeat(40), Buffer.from(`${'🏀'.repeat(40)},${player.email}\n`)],
  ];
  for (const [team, bytes] of files) {
    await writeFile(file, bytes);
    const imported = await cli.backboard('league', 'import', 'Länder', file, '--new-teams');
    expect([team, imported.stderr, imported.code]).toEqual([team, '', 0]);
    const shown = await cli.json('player', 'show', player.email);
    expect(shown.team.name).toBe(team);
  }
});

test('a rotation after a revocation says that no old key works any more', async () => {
  await cli.json('machine', 'add', 'Back again');
  const plain = await cli.backboard('machine', 'rotate', 'Back again');
  expect(plain.stdout).toMatch(/The old key works until \d{4}-/);
  await cli.json('machine', 'revoke', 'Back again', '--yes');
  const revoked = await cli.backboard('machine', 'rotate', 'Back again');
  expect(revoked.stdout).toContain('The old key does not work any more.');
  expect(revoked.stdout).not.toContain('works until');
});

test('a rebuild prints what it corrected', async () => {
  const machine = await makeMachine(t);
  const player = await makePlayer(t);
  await makeGames(t, machine, player, [{ score: 100 }]);
  const healthy = await cli.backboard('rebuild');
  expect(healthy.stdout).toMatch(
    /^Rebuilt from \d+ games? of \d+ players?: nothing had to change\.\n$/,
  );
  await sql`update player_stats set highscore = 99, score_sum = 99 where player_id = ${player.id}`.execute(
    t.db,
  );
  expect((await cli.backboard('rebuild')).stdout).toMatch(/fixed 1 of statistics\.\n$/);
  const { changed } = await cli.json('rebuild');
  expect(Object.values(changed)).toEqual([0, 0, 0, 0]);
});

test('demo needs --beside when there are players, and a rebuild after it changes nothing', async () => {
  expect((await cli.backboard('demo')).stderr).toMatch(/^There are players already.*--beside\n$/);
  expect((await cli.backboard('demo', '--beside')).stderr).toMatch(/add --yes/);
  const demo = await cli.backboard('demo', '--beside', '--yes');
  expect([demo.code, demo.stdout]).toEqual([
    0,
    expect.stringMatching(/30 players, .*\nSign in as demo@backboard\.example/),
  ]);
  expect((await cli.backboard('demo', '--beside', '--yes')).stderr).toBe(
    'The demo is here already.\n',
  );
  const { changed, games } = await cli.json('rebuild');
  expect(games).toBeGreaterThan(700);
  expect(Object.values(changed)).toEqual([0, 0, 0, 0]);
});

test('a simulated arcade gets the code and name of each player who can play, and nothing else', async () => {
  const player = await makePlayer(t, { username: 'Walk-in' });
  const unfinished = await makePlayer(t, { username: null });
  const { body } = await t.call('GET', '/api/operator/players/', { as: { key: OPERATOR_KEY } });
  expect(body.results).toContainEqual({ uuid: player.uuid, username: 'Walk-in' });
  expect(JSON.stringify(body)).not.toContain(unfinished.uuid);
  const one = await t.call('GET', '/api/operator/players/?count=1', { as: { key: OPERATOR_KEY } });
  expect(one.body.results).toHaveLength(1);
});

test('P8 P30e: commands show, sign out and delete a player', async () => {
  const player = await makePlayer(t, { email: 'ana@example.com', username: 'Ana' });
  const session = () =>
    sql`insert into sessions (player_id, created_at, last_used_at, expires_at, client, refresh_hash)
      values (${player.id}, now(), now(), now() + interval '1 day', 'Test', sha256(gen_random_uuid()::text::bytea))`.execute(
      t.db,
    );
  await session();
  await session();
  expect(await cli.json('player', 'show', ' ANA@example.com ')).toMatchObject({
    email: 'ana@example.com',
    username: 'Ana',
    verified: true,
    sessions: 2,
    team: null,
    games_played: 0,
  });
  const shown = await cli.backboard('player', 'show', 'ana@example.com');
  expect(shown.stdout).toMatch(/^Ana\n/);
  const slip = await cli.backboard('player', 'show', 'ana@exmaple.com');
  expect(slip.stderr).toBe(
    'There is no account with the address ana@exmaple.com. Did you mean “ana@example.com”?\n',
  );
  expect((await cli.backboard('player', 'show', 'nonsense')).stderr).toBe(
    'email: Enter a valid email address.\n',
  );
  expect(await cli.json('player', 'sign-out', 'ana@example.com')).toEqual({
    email: 'ana@example.com',
    sessions_ended: 2,
  });
  await session();
  expect((await cli.backboard('player', 'sign-out', '--all')).stderr).toMatch(/add --yes/);
  const all = await cli.json('player', 'sign-out', '--all', '--yes');
  expect(all).toEqual({ email: null, sessions_ended: 1 });
  // A session that was not used for 14 days is not open.
  await session();
  await sql`update sessions set last_used_at = now() - interval '15 days'`.execute(t.db);
  expect(await cli.json('player', 'show', 'ana@example.com')).toMatchObject({ sessions: 0 });

  expect((await cli.backboard('player', 'delete', 'ana@example.com')).stderr).toMatch(/add --yes/);
  expect(await cli.json('player', 'delete', 'ana@example.com', '--yes')).toEqual({
    email: 'ana@example.com',
    games_kept: 0,
  });
  expect((await cli.backboard('player', 'show', 'ana@example.com')).code).toBe(1);
});

test('P30b: an address is changed only by a code from the new mailbox', async () => {
  const player = await makePlayer(t, { email: 'old@example.com', username: 'Mover' });
  const { access } = await makeSession(t, player);
  await sql`insert into identities (issuer, subject, player_id, created_at)
    values ('https://accounts.google.com', 'mover', ${player.id}, now())`.execute(t.db);
  await t.call('POST', '/api/users/auth/request-password-reset/', {
    body: { email: 'old@example.com' },
  });
  await vi.waitFor(async () => expect(await t.mails('old@example.com')).toHaveLength(1), 20_000);
  const link = await linkFor(t, 'old@example.com');
  const taken = await makePlayer(t, { email: 'taken@example.com' });

  const change = (to: string) => cli.backboard('player', 'change-email', 'old@example.com', to);
  expect((await change(taken.email)).stderr).toBe(
    'Another account has the address taken@example.com.\n',
  );
  expect((await change('old@example.com')).stderr).toMatch(/has this address already/);
  expect((await change('nonsense')).stderr).toMatch(/Enter a valid email address/);
  await makePlayer(t, { email: 'new@example.com', email_verified_at: null, username: null });
  const sent = await change(' NEW@example.com');
  expect([sent.code, sent.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^A code is on its way to new@example\.com; .*\nNext: .* confirm-email old@example\.com new@example\.com CODE\n$/,
    ),
  ]);
  const code = await codeFor(t, 'new@example.com');
  expect(await t.mails('old@example.com')).toHaveLength(1);
  const profile = () => t.call('GET', '/api/users/profile/', { as: { access } });
  expect((await profile()).body.email).toBe('old@example.com');

  const confirm = (to: string, digits: string) =>
    cli.backboard('player', 'confirm-email', 'old@example.com', to, digits);
  for (const [to, digits] of [
    ['other@example.com', code],
    ['new@example.com', code === '000000' ? '000001' : '000000'],
  ] as const) {
    const refused = await confirm(to, digits);
    expect([refused.code, refused.stderr]).toEqual([1, `${CHANGE_CODE_WRONG}\n`]);
  }
  const verified = await t.call('POST', '/api/users/verify-email/', {
    body: { email: 'new@example.com', code },
  });
  expect(verified.status).toBe(400);
  expect((await profile()).status).toBe(200);

  const moved = await cli.json(
    'player',
    'confirm-email',
    'old@example.com',
    'new@example.com',
    code,
  );
  expect(moved).toEqual({
    email: 'new@example.com',
    sessions_ended: 1,
    providers_unlinked: ['google'],
  });
  expect((await profile()).status).toBe(401);
  expect((await confirm('new@example.com', code)).stderr).toMatch(
    /no account with the address old/,
  );
  const reset = await t.call('POST', '/api/users/auth/reset-password/', {
    body: { ...link, password: 'quiet orange kite' },
  });
  expect(reset.status).toBe(400);
  const [notice] = await t.mails('old@example.com');
  expect(notice?.subject).toBe('Your email address was changed');
  expect(`${notice?.text}${notice?.html}`).not.toContain('new@example.com');
  expect(await cli.json('player', 'show', 'new@example.com')).toMatchObject({
    username: 'Mover',
    verified: true,
    sessions: 0,
  });
});

test('P30b: a code has five tries and one hour, and only the newest works', async () => {
  const player = await makePlayer(t, { email: 'tries@example.com' });
  const body = { email: player.email, new_email: 'tried@example.com' };
  const as = { key: OPERATOR_KEY };
  const propose = () => t.call('POST', '/api/operator/players/change-email/', { as, body });
  const confirm = (code: string) =>
    t.call('POST', '/api/operator/players/confirm-email/', { as, body: { ...body, code } });
  const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

  await propose();
  const first = await codeFor(t, body.new_email);
  for (let n = 0; n < 5; n += 1) expect((await confirm(other(first))).status).toBe(400);
  expect((await confirm(first)).status).toBe(400);
  await propose();
  const second = await codeFor(t, body.new_email);
  await propose();
  const third = await codeFor(t, body.new_email);
  if (second !== third) expect((await confirm(second)).status).toBe(400);
  t.clock.advance(3_600_000);
  expect((await confirm(third)).status).toBe(400);
  await propose();
  const code = await codeFor(t, body.new_email);
  const both = await Promise.all([confirm(code), confirm(code)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, expect.any(Number)]);
  expect([400, 404]).toContain(both.find(({ status }) => status !== 200)?.status);
});

test('P30b: an account and an address each get five codes an hour, so that nobody guesses one', async () => {
  const propose = async (new_email: string, player: { email: string }) => {
    const body = { email: player.email, new_email };
    const sent = await t.call('POST', '/api/operator/players/change-email/', {
      as: { key: OPERATOR_KEY },
      body,
    });
    return sent.status;
  };
  const [one, two, three] = [await makePlayer(t), await makePlayer(t), await makePlayer(t)];
  for (let n = 0; n < 5; n += 1) expect(await propose(`to${n}@example.com`, one)).toBe(200);
  expect(await propose('to5@example.com', one)).toBe(429);
  for (let n = 0; n < 5; n += 1) expect(await propose('same@example.com', two)).toBe(200);
  expect(await propose('same@example.com', three)).toBe(429);
  expect(await propose('other@example.com', three)).toBe(200);
});

test('P30c: a birth date can be corrected, but not to a date that is too young', async () => {
  const player = await makePlayer(t, { email: 'born@example.com', date_of_birth: '2000-01-31' });
  const { access } = await makeSession(t, player);
  const born = async () =>
    (await t.call('GET', '/api/users/profile/', { as: { access } })).body.date_of_birth;
  const changed = await cli.backboard('player', 'birthdate', 'born@example.com', '2004-09-14');
  expect(changed.stdout).toBe('The birth date of born@example.com is now 2004-09-14.\n');
  expect(await born()).toBe('2004-09-14');
  const year = t.clock.now().getUTCFullYear() - 5;
  for (const [date, problem] of [
    [`${year}-01-01`, /You must be at least 13 years old/],
    ['2023-02-29', /Write a day of the calendar as YYYY-MM-DD|Enter a valid date/],
    ['2999-01-01', /Enter a valid date/],
  ] as const) {
    const refused = await cli.backboard('player', 'birthdate', 'born@example.com', date);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(problem)]);
  }
  expect(await born()).toBe('2004-09-14');

  // The command also helps a player who is locked for a day after a typing error.
  await sql`update players set date_of_birth = null, birthdate_refused_until = now() + interval '1 day'
    where id = ${player.id}`.execute(t.db);
  await cli.json('player', 'birthdate', 'born@example.com', '2004-09-14');
  expect(await born()).toBe('2004-09-14');
});

test('screen remove names the screen before it asks, and refuses an unknown one', async () => {
  await makeMachine(t, { venue: 'Screen Hall' });
  await makeScreen(t, 'Screen Hall', 'Bar');
  const asked = await cli.backboard('screen', 'remove', 'bar');
  expect([asked.code, asked.stderr]).toEqual([
    1,
    expect.stringContaining('Remove “Bar” in “Screen Hall”?'),
  ]);
  expect((await cli.backboard('screen', 'remove', 'Barr', '--yes')).stderr).toBe(
    'There is no screen “Barr”. Did you mean “Bar”?\n',
  );
  expect(await cli.json('screen', 'remove', 'bar', '--yes')).toMatchObject({ name: 'Bar' });
  expect(await cli.json('screen', 'list')).toEqual([]);
});

test('HAND-C14: screen notice says where and when a notice is shown', async () => {
  await makeMachine(t, { venue: 'Notice Hall' });
  await cli.json('venue', 'timezone', 'Notice Hall', 'Asia/Kathmandu');
  await makeScreen(t, 'Notice Hall', 'Bar');
  const notice = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli.backboard('screen', 'notice', ...args);
    return [code, stdout + stderr];
  };
  expect(await notice('Notice Hall', 'Happy hour.', '--weekly', 'fri 18:00-02:00')).toEqual([
    0,
    'The screens of Notice Hall show every week, fri 18:00-02:00: Happy hour.\n',
  ]);
  const times = ['--from', '2999-01-01 18:00', '--until', '2999-01-01 20:00'];
  expect(await notice('Bar', 'Order here.', '--screen', ...times)).toEqual([
    0,
    'Bar shows from 2999-01-01 18:00 until 2999-01-01 20:00: Order here.\n',
  ]);
  expect(await notice('Bar', '--screen')).toEqual([0, 'Bar has no notice of its own.\n']);
  expect(await notice('Notice Hall', 'x', '--weekly', 'friday')).toEqual([
    1,
    expect.stringContaining('Write them as “mon-thu 15:00-23:00'),
  ]);
  expect(await notice('Notice Hall')).toEqual([0, 'The screens of Notice Hall have no notice.\n']);
  await cli.json('screen', 'remove', 'Bar', '--yes');
});

test('screen change renames a screen and moves it', async () => {
  await makeMachine(t, { venue: 'From Hall' });
  await makeMachine(t, { venue: 'To Hall' });
  await makeScreen(t, 'From Hall', 'Stairs');
  const moved = await cli.backboard(
    ...['screen', 'change', 'stairs', '--name', 'Door', '--venue', 'To Hall'],
  );
  expect([moved.code, moved.stdout]).toEqual([
    0,
    expect.stringMatching(/^Door at To Hall shows: tonight /),
  ]);
  expect(await cli.json('screen', 'change', 'Door', '--venue', 'From Hall')).toMatchObject({
    name: 'Door',
    venue: 'From Hall',
  });
  const refused = await cli.backboard('screen', 'change', 'Door', '--venue', 'To Hal');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'There is no venue “To Hal”. Did you mean “To Hall”?\n',
  ]);
  await cli.json('screen', 'remove', 'Door', '--yes');
});

test('OPS-18: player search takes a name, an address or nothing, and player show takes the id', async () => {
  const player = await makePlayer(t, { username: 'Quick-Zebra', email: 'zebra@example.com' });
  await makeGames(t, await makeMachine(t, { name: 'Zebra hoop' }), player, [{ score: 77 }]);
  const found = await cli.backboard('player', 'search', 'zebra');
  expect([found.code, found.stdout]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`^ID .*\n${player.id} +Quick-Zebra .* 1 +77 .* on Zebra hoop\n$`),
    ),
  ]);
  expect(found.stdout).not.toContain('zebra@example.com');
  for (const text of [['zebra@example.com'], [player.uuid], []]) {
    const { results } = await cli.json('player', 'search', ...text);
    expect(results[0]).toMatchObject({ id: String(player.id), username: 'Quick-Zebra' });
  }
  expect(await cli.json('player', 'show', String(player.id))).toMatchObject({
    email: 'zebra@example.com',
  });
  expect((await cli.backboard('player', 'search', 'nobodyatall')).stdout).toBe(
    'No player matches.\n',
  );
  const refused = await cli.backboard('player', 'search', 'z');
  expect([refused.code, refused.stderr]).toEqual([1, 'text: Type at least 2 characters.\n']);
});

test('OPS-16: schedule generate --preview shows the weeks and stores nothing', async () => {
  await cli.json('league', 'create', 'Preview', '--timezone', 'UTC');
  await cli.json('team', 'create', 'Preview', 'Ones');
  const preview = ['schedule', 'generate', 'Preview', '--weeks', '2', '--preview'];
  const refused = await cli.backboard(...preview);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/two teams/)]);
  await cli.json('team', 'create', 'Preview', 'Twos');
  const shown = await cli.backboard(...preview);
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^Week 1, .*\n {2}\S+ – \S+\nWeek 2, .*\n.*\nNothing is stored: this is a preview\.\n$/,
    ),
  ]);
  const { schedule } = await cli.json(...preview);
  expect((await cli.json('schedule', 'show', 'Preview')).schedule).toEqual([]);
  const made = await cli.json('schedule', 'generate', 'Preview', '--weeks', '2');
  const pairs = (weeks: { from: string; matchups: { home: string; away: string }[] }[]) =>
    weeks.map(({ from, matchups }) => [from, matchups.map(({ home, away }) => [home, away])]);
  expect(pairs(made.schedule)).toEqual(pairs(schedule));
});

test('STAFF-05: commands change staff, sign them out, and end a device or a link', async () => {
  await makeMachine(t, { venue: 'Change Hall' });
  await cli.json('league', 'create', 'Change League', '--timezone', 'UTC');
  const { id } = await makeStaff(t, { name: 'Ada Change', role: 'floor', venues: ['Change Hall'] });
  const changed = await cli.backboard(
    ...['staff', 'change', 'ada change', '--name', 'Ada', '--role', 'manager'],
  );
  expect([changed.code, changed.stdout]).toEqual([0, 'Ada (Manager) reaches: Change Hall.\n']);
  const change = async (...args: string[]) => {
    const { role, venues, leagues } = await cli.json('staff', 'change', 'Ada', ...args);
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
    return [role, names(venues), names(leagues)];
  };
  expect(await change('--league', 'Change League')).toEqual(['manager', [], ['Change League']]);
  expect(await change('--venue', 'Change Hall', '--league', 'Change League')).toEqual([
    'manager',
    ['Change Hall'],
    ['Change League'],
  ]);
  expect(await change('--everywhere')).toEqual(['manager', [], []]);
  const unknown = await cli.backboard('staff', 'change', 'Adda', '--name', 'X');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'There is no member of staff “Adda”. Did you mean “Ada”?\n',
  ]);

  // The changes ended the session.
  expect((await cli.backboard('staff', 'sessions', 'Ada')).stdout).toBe('No session is open.\n');
  const open = async () => {
    const now = t.clock.now();
    const session = { id: randomUUID(), staff_id: id, hash: randomBytes(32) };
    const device = { passkey_id: null, device: 'Phone', client: 'Firefox on Linux' };
    const times = { created_at: now, last_used_at: now };
    const expires_at = new Date(now.getTime() + 3_600_000);
    await t.db
      .insertInto('staff_sessions')
      .values({ ...session, ...device, ...times, expires_at })
      .execute();
    return session.id;
  };
  const [first] = [await open(), await open(), await open()];
  expect((await cli.backboard('staff', 'sessions', 'Ada')).stdout).toMatch(
    new RegExp(`^ID .*\n(.*\n)*${first} +Phone +Firefox on Linux `),
  );
  expect(await cli.json('staff', 'sign-out', 'Ada', '--session', first)).toEqual({
    name: 'Ada',
    sessions_ended: 1,
  });
  expect(await cli.json('staff', 'sessions', 'Ada')).toHaveLength(2);
  expect((await cli.backboard('staff', 'sign-out', 'Ada')).stdout).toBe(
    '2 sessions of Ada ended.\n',
  );
  const malformed = await cli.backboard('staff', 'sign-out', 'Ada', '--session', 'Phone');
  expect([malformed.code, malformed.stderr]).toEqual([1, expect.stringMatching(/^session: /)]);
  expect((await cli.backboard('staff', 'sessions', 'Nobody there')).code).toBe(1);

  const remove = (...args: string[]) => cli.backboard('staff', 'remove-device', ...args);
  expect((await remove('Ada', 'Phone')).stderr).toBe('Ada has no device.\n');
  const stored = { staff_id: id, public_key: Buffer.from('k'), counter: 0, transports: [] };
  const passkeys = [
    { id: 'key-1', name: 'Phone' },
    { id: 'key-2', name: 'Phone' },
    { id: 'key-3', name: 'Laptop' },
  ].map((passkey) => ({ ...passkey, ...stored, created_at: t.clock.now() }));
  await t.db.insertInto('staff_passkeys').values(passkeys).execute();
  const either = await remove('Ada', 'phone', '--yes');
  expect([either.code, either.stderr]).toEqual([
    1,
    '“phone” does not name one device of Ada. Give a name or an id of: “Phone” (key-1), “Phone” (key-2), “Laptop” (key-3).\n',
  ]);
  const asked = await remove('ada', 'laptop');
  expect([asked.code, asked.stderr]).toEqual([
    1,
    expect.stringMatching(/^Remove “Laptop” of “Ada”\? .* add --yes/),
  ]);
  expect((await remove('Ada', 'laptop', '--yes')).stdout).toBe(
    '“Laptop” is removed; Ada has 2 devices left.\n',
  );
  const { devices } = await cli.json('staff', 'remove-device', 'Ada', 'key-1', '--yes');
  expect(devices.map((device: { id: string }) => device.id)).toEqual(['key-2']);
  expect((await remove('Adda', 'Phone', '--yes')).stderr).toMatch(/Did you mean “Ada”/);

  await cli.json('staff', 'link', 'Ada');
  expect((await cli.backboard('staff', 'unlink', 'Ada')).stdout).toBe(
    'The link of Ada does not work any more.\n',
  );
  const none = await cli.backboard('staff', 'unlink', 'Ada');
  expect([none.code, none.stderr]).toEqual([1, 'Ada has no open link.\n']);
  await cli.json('staff', 'link', 'Ada');
  expect(await cli.json('staff', 'unlink', 'Ada')).toMatchObject({ link_until: null });
  await cli.json('staff', 'remove', 'Ada', '--yes');
});

test('P61 P65: staff add and link print a link once; remove ends it; the audit is listed and saved', async () => {
  const link = /http:\/\/\S+\/console\/join#([\w-]{43})/;
  const shown = (text: string) =>
    t.call('POST', '/api/console/link/', {
      body: { token: link.exec(text)?.[1] },
      headers: { origin: t.config.public_url },
    });
  const added = await cli.backboard('staff', 'add', 'Ines Duarte', '--role', 'owner');
  expect(added.code).toBe(0);
  expect((await shown(added.stdout)).body).toMatchObject({ name: 'Ines Duarte', role: 'owner' });
  const wrong = await cli.backboard('staff', 'add', 'Nobody', '--role', 'boss');
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  await makeMachine(t, { venue: 'Staff Hall' });
  const limited = await cli.json(
    ...['staff', 'add', 'Sam Okafor', '--role', 'floor', '--venue', 'Staff Hall'],
  );
  expect(limited.staff.venues).toEqual([{ id: expect.any(String), name: 'Staff Hall' }]);

  const again = await cli.backboard('staff', 'link', 'sam okafor');
  expect((await shown(limited.url)).status).toBe(404);
  expect((await shown(again.stdout)).status).toBe(200);
  const list = await cli.backboard('staff', 'list');
  expect(list.stdout).toMatch(/Sam Okafor\s+floor\s+Staff Hall\s+0\s+never\s+a link works until/);
  expect(list.stdout).not.toMatch(link);

  const asked = await cli.backboard('staff', 'remove', 'sam okafor');
  expect([asked.code, asked.stderr]).toEqual([
    1,
    expect.stringContaining('Remove “Sam Okafor” (Floor, 0 devices)?'),
  ]);
  expect(await cli.json('staff', 'remove', 'Sam Okafor', '--yes')).toMatchObject({
    name: 'Sam Okafor',
  });
  expect((await shown(again.stdout)).status).toBe(404);
  const last = await cli.backboard('staff', 'remove', 'Ines Duarte', '--yes');
  expect([last.code, last.stderr]).toEqual([1, expect.stringMatching(/last owner/)]);

  const audit = await cli.backboard('audit', 'list', '--area', 'staff');
  expect(audit.stdout).toMatch(/Command line\s+Removed Sam Okafor/);
  const file = join(folder, 'audit.csv');
  expect((await cli.backboard('audit', 'export', file, '--area', 'staff')).code).toBe(0);
  expect(await readFile(file, 'utf8')).toMatch(/^when,who,area,what,venue,before,after\r\n/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await cli.backboard('audit', 'export', file)).stderr).toMatch(/Replace the file/);
});
