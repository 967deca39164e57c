import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PART_BYTES } from '#contract/wire/backups.ts';
import type { StaffRow } from '#contract/wire/staff.ts';
import {
  aGame,
  makeLeague,
  makeMachine,
  makePlayer,
  makeScreen,
  makeStaff,
  makeTeam,
} from '#testing/app/make.ts';
import { OPERATOR_KEY, type TestApp, testApp } from '#testing/app/test-app.ts';
import { readCode, replaceTeamCode } from '../leagues/joining.ts';
import { deletePlayer } from '../players/erase.ts';
import { findOrAddVenue } from '../venues/venues.ts';
import { words } from './keep.ts';
import { BACKED_UP, EMPTIED, TABLES, UNTOUCHED } from './tables.ts';

const OPERATOR = { key: OPERATOR_KEY };

let t: TestApp;
beforeEach(async () => {
  t = await testApp();
});
afterEach(() => t.close());

async function download(from = t): Promise<Buffer> {
  const answer = await from.app.inject({
    url: '/api/operator/backup/',
    headers: { authorization: `Bearer ${OPERATOR_KEY}` },
  });
  expect(answer.statusCode).toBe(200);
  return answer.rawPayload;
}

async function upload(bytes: Buffer, to = t): Promise<string> {
  const { body } = await to.call('POST', '/api/operator/restores/', { as: OPERATOR, body: {} });
  for (let part = 0; part * PART_BYTES < bytes.length; part += 1) {
    const answer = await to.app.inject({
      method: 'PUT',
      url: `/api/operator/restores/${body.id}/parts/${part}/`,
      headers: {
        authorization: `Bearer ${OPERATOR_KEY}`,
        'content-type': 'application/octet-stream',
      },
      payload: bytes.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
    });
    expect(answer.statusCode).toBe(200);
  }
  return body.id;
}

async function command(path: string, of = t) {
  const answer = await of.call('POST', path, { as: OPERATOR, body: {} });
  expect(answer.status).toBe(200);
  const lines = String(answer.body).trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

async function restore(bytes: Buffer, to = t) {
  const id = await upload(bytes, to);
  return command(`/api/operator/restores/${id}/run/`, to);
}

async function check(bytes: Buffer) {
  return command(`/api/operator/restores/${await upload(bytes)}/check/`);
}

/** All backed-up rows as sorted text, without the rows that making a backup writes. */
async function contents(of = t): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for (const table of BACKED_UP) {
    const written =
      table === 'audit'
        ? sql`where area <> 'system'`
        : table === 'backups'
          ? sql`where who = 'Ines'`
          : sql``;
    const { rows } = await sql<{ row: string }>`
      select row_to_json(r)::text as row from ${sql.table(table)} r ${written} order by 1`.execute(
      of.db,
    );
    all[table] = rows.map(({ row }) => row);
  }
  return all;
}

/** A row in every table, with text that COPY must escape. */
async function fill(of = t): Promise<void> {
  const hash = createHash('sha256').update('x').digest();
  await sql`insert into leagues (name, timezone, starts_on, created_at)
    values (${'Tab\there \\N and\nback\\slash'}, 'Europe/Berlin', '2026-01-05', now())`.execute(
    of.db,
  );
  await sql`insert into teams (league_id, name, created_at)
    values (1, 'Ünï–çødé 🏀', now()), (1, '{"like": "json"}', now())`.execute(of.db);
  for (let n = 0; n < 5; n += 1) await makePlayer(of, { team_id: n % 2 ? 1 : 2 });
  await sql`begin; insert into matchup_sides (league_id, team_id, week, opponent_id, home)
    values (1, 1, '2026-01-05', 2, true), (1, 2, '2026-01-05', 1, false); commit`.execute(of.db);
  await sql`insert into matchup_rulings values (1, '2026-01-05', 'home', 'Why', now())`.execute(
    of.db,
  );
  await sql`insert into season_pauses values (1, '2026-01-12', 'Why', now(), false)`.execute(of.db);
  await sql`insert into season_changes (season_id, at, text) values (1, now(), 'What')`.execute(
    of.db,
  );
  await sql`insert into season_results values (1, 1, now(), 'Who', null, '[]', '[]', '[]', '[]')`.execute(
    of.db,
  );
  const id = sql`(select min(id) from players)`;
  await sql`insert into identities values ('https://id.example', 'abc', ${id}, now())`.execute(
    of.db,
  );
  await sql`insert into tombstones values (${hash}, now())`.execute(of.db);
  await sql`insert into team_changes values (${id}, now(), 1)`.execute(of.db);
  await sql`insert into league_mode_changes values (${id}, now(), true)`.execute(of.db);
  await sql`insert into told_weeks values (1, '2026-01-05', 1, 2, now())`.execute(of.db);
  await sql`insert into friendships (player_id, friend_id, since) values (${id}, ${id} + 1, now())`.execute(
    of.db,
  );
  await sql`insert into blocks (player_id, blocked_id, at) values (${id}, ${id} + 2, now())`.execute(
    of.db,
  );
  await sql`insert into duels (offerer_id, rival_id, offered_at, accept_until, changed_at)
    values (${id}, ${id} + 1, now(), now(), now())`.execute(of.db);
  await sql`insert into duel_tallies values (${id}, 3, 2, 1)`.execute(of.db);
  await sql`insert into nudges values (${id}, '2026-01-05', ${id} + 1, now())`.execute(of.db);
  await sql`insert into player_push values (${id}, true, false, true, true, false)`.execute(of.db);
  await sql`insert into push_off values (${id}, sha256('off'), now())`.execute(of.db);
  await sql`insert into join_requests values (${id}, 1, now())`.execute(of.db);
  await sql`insert into venues (name) values ('Hoop House')`.execute(of.db);
  await sql`update leagues set venue_id = 1`.execute(of.db);
  await sql`insert into machines (name, venue_id, created_at) values ('Court 1', 1, now())`.execute(
    of.db,
  );
  await sql`insert into contests (venue_id, name, starts_at, ends_at, scoring, n, machines)
    values (1, 'Night 🏀', now(), now() + interval '3 hours', 'best3', 5, '{1}')`.execute(of.db);
  await sql`insert into contest_results values
    (1, 1, now(), 'Who', null, '[{"place": 1, "player_id": 1, "points": 1, "games": 1}]')`.execute(
    of.db,
  );
  await sql`insert into cups (venue_id, kind, name, best, "of", third, windows, created_at)
    values (1, 'players', 'Finals 🏀', 4, 8, false, 'hours', now())`.execute(of.db);
  await sql`insert into cup_sides (cup_id, seed, player_id) values (1, 1, ${id}), (1, 2, null)`.execute(
    of.db,
  );
  await sql`insert into cup_players values (1, ${id}, 1, 0, null)`.execute(of.db);
  await sql`insert into cup_pairings values (1, 0, 0, now(), now() + interval '1 hour', '{1}')`.execute(
    of.db,
  );
  await sql`insert into cup_results values (1, 0, 0, 1, now(), 'Who', null, 1, 'score', '[]')`.execute(
    of.db,
  );
  await sql`insert into machine_keys values ('k1', 1, ${hash}, now(), null, null)`.execute(of.db);
  await sql`insert into games (machine_id, id, player_id, score, played_at, day, received_at,
      duration_s, state, digest, outside)
    select 1, gen_random_uuid(), ${id}, n, now() - n * interval '1 hour', current_date, now(),
      n / 7.0, 'counted', ${hash}, 'no_team' from generate_series(1, 500) n`.execute(of.db);
  await sql`insert into game_reports (machine_id, game_id, player_id, reason, text, reported_at)
    select 1, id, ${id}, 'machine', ${'Tab\there, back\\slash'}, now() from games limit 1`.execute(
    of.db,
  );
  await sql`insert into game_decisions (machine_id, game_id, at, who, decision)
    select 1, id, now(), 'Ines', 'void' from games limit 1`.execute(of.db);
  await sql`insert into backups values ('2026-01-05', 'Ines', 7)`.execute(of.db);
  await sql`insert into player_stats values (${id}, 500, 500, 125250)`.execute(of.db);
  await sql`insert into bests values (0, '-infinity', ${id}, 500)`.execute(of.db);
  await sql`insert into best_counts values (0, '-infinity', 500, 1)`.execute(of.db);
  await sql`insert into team_weeks values (1, '2026-03-02', 500, 300)`.execute(of.db);
  await sql`insert into league_weeks values (1, '2026-01-05', ${id}, 8, 80, 40, 10)`.execute(of.db);
  await sql`insert into machine_away select id, now() - interval '1 hour', now() from machines`.execute(
    of.db,
  );
  await sql`insert into machine_moves select id, now(), venue_id from machines`.execute(of.db);
  await sql`insert into player_achievements
    select ${id}, 'first-game', now(), machine_id, id from games limit 1`.execute(of.db);
  await sql`insert into staff (name, role, handle, created_at)
    values ('Ines', 'manager', ${hash}, now())`.execute(of.db);
  await sql`insert into staff_venues values (1, 1)`.execute(of.db);
  await sql`insert into staff_alerts values (1, 'ines@example.com')`.execute(of.db);
  await sql`insert into staff_leagues values (1, 1)`.execute(of.db);
  await sql`insert into staff_passkeys (id, staff_id, public_key, counter, name, created_at)
    values ('old', 1, ${hash}, 0, 'Bar tablet', now())`.execute(of.db);
  await sql`insert into audit (at, who, area, what) values (now(), 'Ines', 'games', 'A line')`.execute(
    of.db,
  );
  await sql`insert into screens (venue_id, name, slides, created_at)
    values (1, 'Bar', '[]', now())`.execute(of.db);
}

async function signIn(playerId: number, of = t): Promise<void> {
  await sql`insert into sessions (player_id, created_at, last_used_at, expires_at, client, refresh_hash)
    values (${playerId}, now(), now(), now() + interval '1 day', 'Test',
      ${createHash('sha256').update(String(playerId)).digest()})`.execute(of.db);
}

test('P44: every table of the schema is backed up, emptied or left untouched', async () => {
  const { rows } = await sql<{ name: string }>`select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_%'`.execute(t.db);
  expect(rows.map(({ name }) => name).sort()).toEqual(
    [...BACKED_UP, ...EMPTIED, ...UNTOUCHED].sort(),
  );
});

test('P44: each column is declared as kept, as restored, or as `no_matter`', async () => {
  const { rows } = await sql<{ column: string; target: string | null }>`
    select c.relname || '.' || attname as column,
      (select confrelid::regclass::text from pg_constraint
        where contype = 'f' and conrelid = attrelid and conkey = array[attnum]) as target
    from pg_attribute join pg_class c on c.oid = attrelid
    where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0
      and not attisdropped and relname = any(${BACKED_UP})`.execute(t.db);
  const of = (list: (one: (typeof TABLES)[number]) => string | undefined) =>
    TABLES.flatMap((one) => words(list(one)).map((column) => `${one.table}.${column}`));
  const said = [
    ...of(({ restored }) => restored),
    ...of(({ kept }) => kept),
    ...of(({ no_matter }) => no_matter),
  ];
  expect(said.sort()).toEqual(rows.map(({ column }) => column).sort());
  // `refers` must name the table of each kept column that references one.
  const kept = of(({ kept, rows }) => (rows === 'added' ? '' : kept));
  const refers = TABLES.flatMap(({ table, refers = {} }) =>
    Object.entries(refers).map(([column, target]) => `${table}.${column} ${target}`),
  );
  const needed = rows.flatMap(({ column, target }) =>
    target !== null && kept.includes(column) ? `${column} ${target}` : [],
  );
  expect(refers.sort()).toEqual(needed.sort());
});

test('P44: each table is backed up after every table that it references', async () => {
  const { rows } = await sql<{ source: string; target: string; name: string }>`
    select conrelid::regclass::text as source, confrelid::regclass::text as target, conname as name
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
      and not condeferrable and conrelid <> confrelid`.execute(t.db);
  expect(rows.length).toBeGreaterThan(15);
  const wrong = rows.filter(({ source, target }) => {
    if (EMPTIED.includes(source)) return false;
    const at = BACKED_UP.indexOf(target);
    // An unchanged table must not reference a truncated one.
    if (!BACKED_UP.includes(source)) return at >= 0 || EMPTIED.includes(target);
    return at < 0 || at > BACKED_UP.indexOf(source);
  });
  expect(wrong).toEqual([]);
});

test('REL-14: a restore into an empty database gives the same rows', async () => {
  await fill();
  const before = await contents();
  for (const [table, rows] of Object.entries(before))
    expect([table, rows.length]).not.toEqual([table, 0]);
  const file = await download();
  const other = await testApp();
  const { result } = await restore(file, other);
  expect(await contents(other)).toEqual(before);
  expect(result.rows).toBe(Object.values(before).flat().length);
  await other.close();
});

test('REL-14: a restore replaces all rows, ends sessions and reuses no id', async () => {
  await fill();
  const before = await contents();
  const file = await download();
  const late = await makePlayer(t);
  await signIn(late.id);
  await sql`update teams set name = 'Renamed' where id = 1`.execute(t.db);

  expect(await restore(file)).toMatchObject({ result: { deleted_again: 0 } });
  expect(await contents()).toEqual(before);
  expect(await t.db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  const next = await makePlayer(t);
  expect(next.id).toBeGreaterThan(late.id);
});

test('P30e: accounts deleted after the backup stay deleted, and no others', async () => {
  const deleted = await makePlayer(t, { email: 'gone@example.com' });
  const kept = await makePlayer(t);
  const file = await download();
  await deletePlayer(t.db, deleted.id, t.clock.now());
  const back = await makePlayer(t, { email: 'gone@example.com', created_at: new Date(0) });
  const second = await download();

  expect(await restore(file)).toMatchObject({ result: { deleted_again: 1 } });
  const ids = async () =>
    (await t.db.selectFrom('players').select('id').orderBy('id').execute()).map(({ id }) => id);
  expect(await ids()).toEqual([kept.id]);
  expect(await restore(second)).toMatchObject({ result: { deleted_again: 0 } });
  expect(await ids()).toEqual([kept.id, back.id]);
});

test('P31a: after a restore a machine has its current keys, and a revoked key stays revoked', async () => {
  await fill();
  const file = await download();
  await sql`delete from machine_keys; update machines set revoked_at = now()`.execute(t.db);
  await restore(file);
  expect(await t.db.selectFrom('machine_keys').selectAll().execute()).toEqual([]);
  const [machine] = await t.db.selectFrom('machines').select('revoked_at').execute();
  expect(machine?.revoked_at).toBeInstanceOf(Date);
});

test('P31a: a restore brings back no revoked or rotated key of a renamed machine', async () => {
  const [sold, stolen] = [await makeMachine(t), await makeMachine(t)];
  const file = await download();
  const change = (path: string, body: object) =>
    t.call('POST', `/api/operator/machines/${path}/`, { as: OPERATOR, body });
  await change('revoke', { machine: `id:${sold.id}` });
  await change('change', { machine: `id:${sold.id}`, name: 'Sold' });
  const { body: rotated } = await change('rotate', { machine: `id:${stolen.id}` });
  await change('stop-old-key', { machine: `id:${stolen.id}` });
  await change('change', { machine: `id:${stolen.id}`, name: 'Found' });

  expect(await restore(file)).toHaveProperty('result');
  const status = async (key: string) =>
    (await t.call('GET', '/api/machine/', { as: { key } })).status;
  expect([await status(sold.key), await status(stolen.key), await status(rotated.key)]).toEqual([
    403, 401, 200,
  ]);
});

test('P7 P29c P30b P68: a restore reopens no way into an account, and shows no hidden name again', async () => {
  const [one, two] = [
    await makePlayer(t, { email: 'one@example.com', visibility: 'venue' }),
    await makePlayer(t, { email: 'two@example.com' }),
  ];
  const three = await makePlayer(t, { email: 'three@example.com' });
  await sql`insert into identities (issuer, subject, player_id, created_at)
    values ('https://id.example.com', 'thief', ${one.id}, now())`.execute(t.db);
  const team = await makeTeam(t, await makeLeague(t), [one]);
  const squatter = await makePlayer(t, { email: 'wanted@example.com', email_verified_at: null });
  await sql`insert into identities (issuer, subject, player_id, created_at)
    values ('https://id.example.com', 'moved', ${squatter.id}, now())`.execute(t.db);
  const file = await download();
  const code = await replaceTeamCode(t.db, team);
  await sql`delete from players where id = ${squatter.id}`.execute(t.db);
  await sql`update players set email = 'wanted@example.com' where id = ${three.id}`.execute(t.db);
  await sql`insert into identities (issuer, subject, player_id, created_at)
    values ('https://id.example.com', 'moved', ${three.id}, now())`.execute(t.db);
  await sql`delete from identities where player_id = ${one.id}`.execute(t.db);
  await sql`update players set email = 'free@example.com' where id = ${one.id}`.execute(t.db);
  await sql`update players set email = 'one@example.com' where id = ${two.id}`.execute(t.db);
  await sql`update players set email = 'two@example.com', uuid = gen_random_uuid(),
    password_hash = '$argon2id$new', date_of_birth = '2013-03-03', visibility = 'league',
    username = 'renamed' where id = ${one.id}`.execute(t.db);
  const waysIn = () =>
    t.db
      .selectFrom('players')
      .select(['email', 'uuid', 'password_hash', 'date_of_birth', 'visibility'])
      .where('id', 'in', [one.id, two.id, three.id])
      .orderBy('id')
      .execute();
  const present = await waysIn();

  expect(await restore(file)).toHaveProperty('result');
  expect(await waysIn()).toEqual(present);
  const names = await t.db.selectFrom('players').select('username').orderBy('id').execute();
  expect(names).toEqual([one, two, three].map(({ username }) => ({ username })));
  expect(await t.db.selectFrom('identities').select(['subject', 'player_id']).execute()).toEqual([
    { subject: 'moved', player_id: three.id },
  ]);
  expect(await readCode(t.db, team)).toBe(code);
});

test('P68: a restore puts nobody back on a team and opens no league again', async () => {
  const league = await makeLeague(t);
  await sql`update leagues set joining = 'open'`.execute(t.db);
  const [adult, mover, stays, asking] = [
    await makePlayer(t),
    await makePlayer(t),
    await makePlayer(t),
    await makePlayer(t),
  ];
  const team = await makeTeam(t, league, [adult, mover, stays]);
  const other = await makeTeam(t, league);
  await sql`insert into join_requests values (${asking.id}, ${team.id}, now())`.execute(t.db);
  const file = await download();
  const late = await makeTeam(t, league);
  const change = (path: string, body: object) =>
    t.call('POST', `/api/operator/${path}/`, { as: OPERATOR, body });
  const move = async (
    from: { id: number },
    to: { id: number } | null,
    player: { email: string },
  ) => {
    await change('teams/remove', { team: `id:${from.id}`, email: player.email });
    if (to !== null) await change('teams/add', { team: `id:${to.id}`, emails: [player.email] });
  };
  await move(team, null, adult);
  await move(team, other, mover);
  await move(team, late, stays);
  await change('teams/decline', { team: `id:${team.id}`, email: asking.email });
  await change('leagues/joining', { league: league.name, joining: 'closed' });
  await sql`update seasons set rosters_lock_week = starts_on`.execute(t.db);
  const changes = () =>
    sql`select player_id, at, team_id from team_changes order by player_id, at`.execute(t.db);
  const before = (await changes()).rows;

  expect(await restore(file)).toHaveProperty('result');
  const players = await t.db.selectFrom('players').select('team_id').orderBy('id').execute();
  // A team that is newer than the backup is gone.
  expect(players.map(({ team_id }) => team_id)).toEqual([null, other.id, null, null]);
  expect((await changes()).rows).toEqual(
    before.map((row) => ({ ...(row as object), ...gone(row, late.id) })),
  );
  expect(await t.db.selectFrom('join_requests').selectAll().execute()).toEqual([]);
  const leagues = await t.db.selectFrom('leagues').select('joining').execute();
  expect(leagues).toEqual([{ joining: 'closed' }]);
  const locked = await sql`select from seasons where rosters_lock_week = starts_on`.execute(t.db);
  expect(locked.rows).toHaveLength(1);
});
const gone = (row: unknown, team: number) =>
  (row as { team_id: number | null }).team_id === team ? { team_id: null } : {};

test('P66: after a restore a screen has its current token, and a removed screen stays removed', async () => {
  await fill();
  await sql`insert into screens (venue_id, name, slides, created_at)
    values (1, 'Window', '[]', now())`.execute(t.db);
  const file = await download();
  const hash = createHash('sha256').update('new').digest();
  await sql`delete from screens where name = 'Window'`.execute(t.db);
  await sql`update screens set token_hash = ${hash}`.execute(t.db);
  await restore(file);
  expect(await t.db.selectFrom('screens').select(['name', 'token_hash']).execute()).toEqual([
    { name: 'Bar', token_hash: hash },
  ]);
});

test('P60 P65: after a restore nobody regains withdrawn rights, and no line of the audit is lost', async () => {
  await fill();
  const file = await download();
  await sql`delete from staff_passkeys; update staff set role = 'floor', removed_at = now()`.execute(
    t.db,
  );
  await sql`insert into audit (at, who, area, what) values (now(), 'Ines', 'staff', 'Later')`.execute(
    t.db,
  );
  await restore(file);
  expect(await t.db.selectFrom('staff_passkeys').selectAll().execute()).toEqual([]);
  const [member] = await t.db.selectFrom('staff').selectAll().execute();
  expect(member).toMatchObject({ role: 'floor', removed_at: expect.any(Date) });
  const lines = await t.db.selectFrom('audit').select('what').orderBy('id').execute();
  expect(lines.map(({ what }) => what)).toEqual([
    'A line',
    'Made a backup',
    'Later',
    'Restored a backup',
  ]);
  await expect(sql`truncate audit`.execute(t.db)).rejects.toThrow();
});

test('P60 STAFF-02: a restore does not change the venues and leagues that staff may see', async () => {
  const [here, there] = [await findOrAddVenue(t.db, 'Here'), await findOrAddVenue(t.db, 'There')];
  const old = await makeLeague(t, { venue: here.name });
  const kept = await makeLeague(t, { venue: here.name });
  await sql`update leagues set joining = 'open'`.execute(t.db);
  const limited = await makeStaff(t, { role: 'manager' });
  const moved = await makeStaff(t, { role: 'manager', venues: [here.name], leagues: [old.name] });
  const freed = await makeStaff(t, { role: 'manager', venues: [here.name] });
  const newer = await makeStaff(t, { role: 'manager' });
  const file = await download();
  const late = await findOrAddVenue(t.db, 'Late');
  const change = (staff: number, body: object) =>
    t.call('POST', '/api/operator/staff/change/', {
      as: OPERATOR,
      body: { staff: `id:${staff}`, ...body },
    });
  await change(limited.id, { venues: [here.name, late.name] });
  await change(moved.id, { venues: [there.name], leagues: [kept.name] });
  await change(freed.id, { everything: true });
  await change(newer.id, { venues: [late.name] });
  const setLeague = (path: string, body: object) =>
    t.call('POST', `/api/operator/leagues/${path}/`, { as: OPERATOR, body });
  await setLeague('joining', { league: old.name, joining: 'closed' });
  await setLeague('venue', { league: old.name, venue: late.name });
  await setLeague('venue', { league: kept.name, venue: there.name });

  await restore(file);
  const { body } = await t.call('GET', '/api/operator/staff/', { as: OPERATOR });
  const names = (places: { name: string }[]) => places.map(({ name }) => name);
  expect(
    body.results.map(({ name, everything, venues, leagues }: StaffRow) => [
      name,
      everything,
      names(venues),
      names(leagues),
    ]),
  ).toEqual([
    [limited.name, false, [here.name], []],
    [moved.name, false, [there.name], [kept.name]],
    [freed.name, true, [], []],
    // The venue is newer than the backup.
    [newer.name, false, [], []],
  ]);
  const leagues = await t.call('GET', '/api/operator/leagues/', { as: OPERATOR });
  expect(leagues.body.results).toMatchObject([
    { name: old.name, joining: 'closed', venue: null },
    { name: kept.name, joining: 'open', venue: there.name },
  ]);
});

test('P44 STAFF-02: a restore moves no machine and no screen back to the venue that it left', async () => {
  const [here, there] = [await findOrAddVenue(t.db, 'Here'), await findOrAddVenue(t.db, 'There')];
  const [moved, late] = [
    await makeMachine(t, { name: 'Moved', venue: here.name }),
    await makeMachine(t, { name: 'Late', venue: here.name }),
  ];
  const screens = [await makeScreen(t, here.name), await makeScreen(t, here.name)];
  const file = await download();
  const newer = await findOrAddVenue(t.db, 'Newer');
  const move = (table: string, { id }: { id: number }, venue: { id: number }) =>
    sql`update ${sql.table(table)} set venue_id = ${venue.id} where id = ${id}`.execute(t.db);
  await move('machines', moved, there);
  await move('machines', late, newer);
  const [bar, window] = screens;
  if (bar) await move('screens', bar, there);
  if (window) await move('screens', window, newer);

  await restore(file);
  const venuesOf = async (table: 'machines' | 'screens') =>
    (await t.db.selectFrom(table).select('venue_id').orderBy('id').execute()).map(
      ({ venue_id }) => venue_id,
    );
  // The backup does not have the newer venue.
  expect(await venuesOf('machines')).toEqual([there.id, null]);
  expect(await venuesOf('screens')).toEqual([there.id, here.id]);
});

test('P65: a restore into a new installation loses no line of either audit', async () => {
  const other = await testApp();
  const note = (of: TestApp, what: string) =>
    sql`insert into audit (at, who, area, what) values (now(), 'Ines', 'staff', ${what})`.execute(
      of.db,
    );
  for (const what of ['Lost computer 1', 'Lost computer 2']) await note(t, what);
  for (const what of ['New computer 1', 'New computer 2', 'New computer 3', 'New computer 4'])
    await note(other, what);
  const file = await download();
  expect(await restore(file, other)).toHaveProperty('result');
  // A second restore adds no line twice.
  expect(await restore(file, other)).toHaveProperty('result');
  await note(other, 'Later');
  const lines = await other.db.selectFrom('audit').select('what').orderBy('id').execute();
  expect(lines.map(({ what }) => what)).toEqual([
    'Lost computer 1',
    'Lost computer 2',
    'New computer 1',
    'New computer 2',
    'New computer 3',
    'New computer 4',
    'Restored a backup',
    'Restored a backup',
    'Later',
  ]);
  await other.close();
});

test('REL-14: a file that is cut short anywhere is refused and changes nothing', async () => {
  await fill();
  const file = await download();
  const before = await contents();
  for (const length of [
    0,
    1,
    10,
    200,
    Math.floor(file.length / 2),
    file.length - 9,
    file.length - 1,
  ]) {
    const { error } = await restore(file.subarray(0, length));
    expect(error).toMatch(/cut short|not a Backboard backup/);
  }
  const text = gunzipSync(file);
  const withoutEnd = text.subarray(0, text.lastIndexOf('\n', text.length - 2) + 1);
  expect((await restore(gzipSync(withoutEnd))).error).toMatch(/cut short/);
  expect(await contents()).toEqual(before);
}, 60_000);

test('REL-14: a flipped bit is refused', async () => {
  await fill();
  const file = await download();
  const before = await contents();
  for (let n = 0; n < 60; n += 1) {
    const flipped = Buffer.from(file);
    // gzip does not verify the timestamp and OS of its header.
    const at = 10 + Math.floor((n / 60) * (file.length - 10));
    flipped[at] = (flipped[at] ?? 0) ^ 0x10;
    const { error } = n % 10 === 0 ? await restore(flipped) : await check(flipped);
    // A flipped bit in a migration's name makes the backup look newer.
    expect(error).toMatch(/damaged|cut short|not a Backboard|newer version/);
  }
  // The gzip is valid, so only our checksums detect the change.
  const text = gunzipSync(file).toString().replace('player-', 'plover-');
  expect((await restore(gzipSync(text))).error).toMatch(/damaged/);
  expect(await contents()).toEqual(before);
}, 120_000);

test('REL-14: a foreign file and a backup of a newer version are refused', async () => {
  await fill();
  const before = await contents();
  const file = await download();
  const [first = '', ...rest] = gunzipSync(file).toString().split('\n');
  const withHeader = (change: object) =>
    gzipSync([JSON.stringify({ ...JSON.parse(first), ...change }), ...rest].join('\n'));

  for (const foreign of [
    Buffer.from('PK\u0003\u0004 a zip'),
    gzipSync('hello\n'),
    gzipSync('{}\n'),
  ])
    expect((await restore(foreign)).error).toMatch(/not a Backboard backup/);
  expect((await restore(withHeader({ backboard_backup: 2 }))).error).toMatch(/newer version/);
  expect((await restore(withHeader({ migrations: ['001-accounts', '999-later'] }))).error).toMatch(
    /newer version.*999-later/,
  );
  const stranger = [{ table: 'pg_authid', columns: ['rolname'], rows: 0, last_id: null }];
  expect((await restore(withHeader({ tables: stranger }))).error).toMatch(/damaged/);
  const injected = JSON.parse(first).tables;
  injected[0].columns[0] = 'id) from program $$touch /tmp/x$$; --';
  expect((await restore(withHeader({ tables: injected }))).error).toMatch(/damaged/);
  expect(await contents()).toEqual(before);
});

test('REL-14: rows that violate a constraint are refused', async () => {
  await fill();
  const before = await contents();
  const [first = '', ...rest] = gunzipSync(await download())
    .toString()
    .split('\n');
  const header = JSON.parse(first);
  const at = header.tables.findIndex(({ table }: { table: string }) => table === 'venues');
  const start = header.tables
    .slice(0, at)
    .reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0);
  rest[start] = '1\t';
  const trailer = JSON.parse(rest.at(-2) ?? '');
  trailer.sha256[at] = createHash('sha256').update('1\t\n').digest('hex');
  rest[rest.length - 2] = JSON.stringify(trailer);
  const forged = gzipSync([first, ...rest].join('\n'));
  expect((await restore(forged)).error).toMatch(/damaged/);
  expect(await contents()).toEqual(before);
});

test('P44: a backup from before the newest migrations is migrated', async () => {
  const [first = ''] = gunzipSync(await download())
    .toString()
    .split('\n');
  const header = JSON.parse(first);
  const old = ['leagues', 'teams', 'players', 'identities', 'tombstones'];
  const player = await makePlayer(t);
  const later = [
    'address_claimed',
    'team_id',
    'visibility',
    'visibility_question',
    'wall_asked',
    'authoritative',
  ];
  const tables = header.tables
    .filter(({ table }: { table: string }) => old.slice(2).includes(table))
    .map((table: { table: string; columns: string[] }) => ({
      ...table,
      columns: table.columns.filter((column) => !later.includes(column)),
      rows: table.table === 'players' ? 1 : 0,
    }));
  const row =
    '7\t0190c3f2-7d1a-4c55-9f00-2f6f5a8c1b11\told@example.com\t\\N\told-hand\t\\N\t2000-01-31\t\\N\t#377AD3\t00\tf\t2026-01-01 00:00:00+00\n';
  const sha256 = tables.map(({ rows }: { rows: number }) =>
    createHash('sha256')
      .update(rows ? row : '')
      .digest('hex'),
  );
  const file = gzipSync(
    `${JSON.stringify({ ...header, migrations: ['001-accounts'], tables })}\n${row}${JSON.stringify({ end: true, rows: 1, sha256 })}\n`,
  );
  expect(await restore(file)).toMatchObject({ result: { rows: 1 } });
  const players = await t.db.selectFrom('players').select(['id', 'username', 'team_id']).execute();
  expect(players).toEqual([{ id: 7, username: 'old-hand', team_id: null }]);
  expect((await makePlayer(t)).id).toBeGreaterThan(player.id);
});

test('REL-14: a backup under load is consistent: the sums include every game', async () => {
  const player = await makePlayer(t);
  await sql`insert into venues (name) values ('v')`.execute(t.db);
  await sql`insert into machines (name, created_at) values ('m', now())`.execute(t.db);
  let stop = false;
  const load = (async () => {
    while (!stop)
      await t.db.transaction().execute(async (trx) => {
        await sql`insert into games (machine_id, id, player_id, score, played_at, day, received_at,
          state, digest, outside) values (1, gen_random_uuid(), ${player.id}, 1, now(),
          current_date, now(), 'counted', ${Buffer.alloc(32)}, 'no_team')`.execute(trx);
        await sql`insert into player_stats values (${player.id}, 1, 1, 1)
          on conflict (player_id) do update set games_played = player_stats.games_played + 1,
          score_sum = player_stats.score_sum + 1`.execute(trx);
      });
  })();
  const other = await testApp();
  for (let n = 0; n < 3; n += 1) {
    await restore(await download(), other);
    const { rows } = await sql<{ games: number; sum: number | null }>`
      select (select count(*) from games) as games, (select games_played from player_stats) as sum`.execute(
      other.db,
    );
    expect(rows[0]?.sum ?? 0).toBe(rows[0]?.games);
  }
  stop = true;
  await load;
  await other.close();
});

test('REL-14: during a restore under load, requests succeed or get 503, and the figures are right', async () => {
  const machines = await Promise.all(Array.from({ length: 4 }, () => makeMachine(t)));
  const players = await Promise.all(Array.from({ length: 6 }, () => makePlayer(t)));
  const file = await download();
  let stop = false;
  const statuses = new Set<number>();
  const load = machines.map(async ({ key }) => {
    while (!stop) {
      const games = players.map((player) => aGame(t, player));
      const answer = await t.call('POST', '/api/machine/games/', { as: { key }, body: { games } });
      statuses.add(answer.status);
    }
  });
  for (let n = 0; n < 3; n += 1) expect(await restore(file)).toHaveProperty('result');
  stop = true;
  await Promise.all(load);
  expect(statuses).toContain(200);
  expect([...statuses].filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
  const { changed } = (await command('/api/operator/rebuild/')).result;
  expect(Object.values(changed)).toEqual([0, 0, 0, 0]);
});

test('a restore is refused while an idle session holds a table, and nothing changes', async () => {
  await fill();
  const file = await download();
  await sql`update teams set name = 'Renamed' where id = 1`.execute(t.db);
  const before = await contents();
  await t.db.transaction().execute(async (trx) => {
    await sql`select 1 from games limit 1`.execute(trx);
    expect((await restore(file)).error).toMatch(/Another program holds the tables/);
  });
  expect(await contents()).toEqual(before);
});

test('REL-22: while a newer version runs, backup, restore and rebuild are refused and change nothing', async () => {
  const file = await download();
  const before = await contents();
  await sql`insert into migrations (name, kind) values ('999-later', 'expand')`.execute(t.db);
  const answer = await t.call('GET', '/api/operator/backup/', { as: OPERATOR });
  expect(answer.status).toBe(503);
  expect(answer.body.detail).toMatch(/^A newer version of Backboard has upgraded the database/);
  expect((await restore(file)).error).toMatch(/Upgrade this server too/);
  expect((await command('/api/operator/rebuild/')).error).toMatch(/Upgrade this server too/);
  expect(await contents()).toEqual(before);
});

test('every request needs the operator key', async () => {
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: `Basic ${OPERATOR_KEY}` },
  ]) {
    const answer = await t.call('GET', '/api/operator/backup/', { headers });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ detail: 'The operator key is missing or wrong.' });
  }
});
