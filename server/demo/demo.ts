import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { hashPassword, isPassword } from '../accounts/passwords.ts';
import { endSessions } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { conflict } from '../errors.ts';
import { addDays, startOf, weekOf } from '../leagues/calendar.ts';
import { setJoining } from '../leagues/joining.ts';
import { createLeague, createTeam } from '../leagues/leagues.ts';
import { addToTeam } from '../leagues/rosters.ts';
import { generateSchedule } from '../leagues/schedule.ts';
import { addMachine, type Machine } from '../machines/machines.ts';
import { recordReport } from '../machines/report.ts';
import { addPlayer, findByEmail, updatePlayer } from '../players/players.ts';
import { findOrAddVenue } from '../venues/venues.ts';
import { HOME, HOOPS, TEAMS, WITHOUT_LEAGUE_MODE } from './people.ts';
import {
  demoZone,
  type Pause,
  planSeason,
  reportsOf,
  type Seat,
  seeded,
  seededUuid,
  WEEKS_BEFORE,
} from './season.ts';

export const DEMO_EMAIL = 'demo@backboard.example';
/** This password is public, so production uses a random one. */
export const DEMO_PASSWORD = 'courtside-demo';
const LEAGUE = 'Dockside League';
const SEASON_WEEKS = 10;
/** With this seed, players have the same codes in every demo. */
const CODES_SEED = 1891;
const DAY_MS = 24 * 3_600_000;

export type Demo = {
  league: string;
  players: number;
  games: number;
  email: string;
  password: string;
};

type DemoDeps = Pick<Deps, 'db' | 'clock' | 'config'>;
type OnProgress = (progress: { step: string; done: number; total: number }) => void;

/**
 * Adds a league in its fifth week with players and all their games, in one transaction, through the
 * functions that record real games. In an empty database, everything except hashes, keys and join
 * codes depends only on the time.
 * @throws Refusal 409 when the demo account exists, or when there are players and `beside` is false
 */
export async function fillDemo(
  { db, clock, config }: DemoDeps,
  {
    beside = false,
    onProgress = () => undefined,
  }: { beside?: boolean; onProgress?: OnProgress } = {},
): Promise<Demo> {
  const now = clock.now();
  const zone = demoZone(now);
  const starts = addDays(weekOf(now, zone), -7 * WEEKS_BEFORE);
  const eve = new Date(startOf(starts, zone).getTime() - DAY_MS);
  return transact(db, async (trx) => {
    await requireRoom(trx, beside);
    onProgress({ step: 'inviting the teams', done: 0, total: 1 });
    const then = (time: Date) => ({ db: trx, config, clock: { now: () => time } });
    const password = config.production ? randomBytes(12).toString('base64url') : DEMO_PASSWORD;
    const seats = await addPlayers(trx, eve, password);

    const league = await createLeague(then(eve), {
      name: await freeName(trx, 'leagues', LEAGUE),
      timezone: zone,
      starts,
      venue: await findOrAddVenue(trx, HOME),
    });
    const teamIds: number[] = [];
    for (const [at, { name }] of TEAMS.entries()) {
      const team = await createTeam(then(eve), league, name);
      teamIds.push(team.id);
      const emails = seats.filter((seat) => seat.team === at).map(({ email }) => email);
      await addToTeam(then(eve), team, emails, { at: eve });
    }
    await generateSchedule(then(eve), league, { weeks: SEASON_WEEKS });
    // Open the league, so that joining by a code can be tried (HAND-C13).
    await setJoining({ db: trx }, league, 'open');
    const machines: Machine[] = [];
    for (const { name, venue } of HOOPS)
      machines.push(
        await addMachine(then(eve), { name: await freeName(trx, 'machines', name), venue }),
      );

    const rival = await opponentOf(trx, teamIds[0] ?? 0, weekOf(now, zone));
    const { plays, pause } = planSeason(seats, teamIds.indexOf(rival), zone, now);
    await setLeagueModes(trx, seats, eve, pause);
    let done = 0;
    for (const report of reportsOf(plays, zone)) {
      const last = Math.max(...report.map(({ played_at }) => played_at.getTime()));
      const machine = machines[report[0]?.machine ?? 0];
      if (machine === undefined) throw new Error('a game of the demo is on no machine');
      const sent = report.map(({ machine: _, player, played_at, ...game }) => ({
        ...game,
        player: seats[player]?.uuid,
        played_at: played_at.toISOString(),
      }));
      const arrival = new Date(Math.min(last + 90_000, now.getTime()));
      await recordReport(then(arrival), machine, sent);
      await sql`update machines set clock_error_ms = ${machine.id * 7}
        where id = ${machine.id}`.execute(trx);
      done += report.length;
      onProgress({ step: 'playing the season', done, total: plays.length });
    }
    await answerForMachines({ db: trx, clock: { now: () => now } });
    return { league: league.name, players: seats.length, games: done, email: DEMO_EMAIL, password };
  });
}

/** Games that wait on the demo's last machine (HAND-C13). */
const QUEUED = 2;
const QUEUED_SINCE_MS = 3 * 60_000;

/**
 * Sends a status for each machine of the demo, with the number of waiting games, so that no machine
 * becomes silent (OPS-09). Skips machines whose key was ever used.
 */
export async function answerForMachines({
  db,
  clock,
}: Pick<DemoDeps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now();
  const since = new Date(now.getTime() - QUEUED_SINCE_MS);
  await sql`
    with answering as (
      update machines m set last_seen_at = ${now} from players demo
      where demo.email = ${DEMO_EMAIL} and m.created_at = demo.created_at and m.revoked_at is null
        and not exists (
          select from machine_keys k where k.machine_id = m.id and k.last_used_at is not null)
      returning m.id
    )
    insert into machine_status as s
      (machine_id, reported_at, queued, oldest_played_at, rejected, software, playing)
    select id, ${now}::timestamptz, case when is_last then ${QUEUED}::integer else 0 end,
      case when is_last then ${since}::timestamptz end, 0, '1.0', false
    from (select id, id = max(id) over () as is_last from answering) a
    on conflict (machine_id) do update
      set reported_at = excluded.reported_at, oldest_played_at = excluded.oldest_played_at`.execute(
    db,
  );
}

/**
 * Gives the demo account a random password in place of the public one, which a backup may bring
 * into production, and ends its sessions (P46). Returns whether the password was public.
 */
export async function lockDemoAccount(db: Database): Promise<boolean> {
  const demo = await findByEmail(db, DEMO_EMAIL);
  if (demo === undefined || !(await isPassword(demo.password_hash, DEMO_PASSWORD))) return false;
  // Nobody knows this password, and no reset link arrives, because the address does not exist.
  const password_hash = await hashPassword(randomBytes(32).toString('base64url'));
  await updatePlayer(db, demo.id, { password_hash });
  await endSessions(db, demo.id);
  return true;
}

async function requireRoom(db: Database, beside: boolean): Promise<void> {
  const players = await db.selectFrom('players').select('email').limit(1).execute();
  if (players.length > 0 && !beside)
    throw conflict(
      'There are players already. To add the demo beside them: ./backboard demo --beside',
    );
  const demo = db.selectFrom('players').select('id').where('email', '=', DEMO_EMAIL);
  if (await demo.executeTakeFirst()) throw conflict('The demo is here already.');
}

async function freeName(
  db: Database,
  table: 'leagues' | 'machines',
  name: string,
): Promise<string> {
  for (let nth = 1; ; nth += 1) {
    const wanted = nth === 1 ? name : `${name} (${nth})`;
    const { rows } = await sql`select 1 from ${sql.table(table)}
      where lower(name) = lower(${wanted})`.execute(db);
    if (rows.length === 0) return wanted;
  }
}

type DemoSeat = Seat & { id: number; email: string; uuid: string };

async function addPlayers(db: Database, joined: Date, password: string): Promise<DemoSeat[]> {
  const random = seeded(CODES_SEED);
  const demoHash = await hashPassword(password);
  // Nobody can sign in as the other players: only the hash of their random password exists.
  const lockedHash = await hashPassword(randomBytes(32).toString('base64url'));
  const seats: DemoSeat[] = [];
  for (const [team, { people }] of TEAMS.entries())
    for (const person of people) {
      const username = await freeUsername(db, person.username);
      const league_mode = !WITHOUT_LEAGUE_MODE.includes(person.username);
      const first = seats.length === 0;
      const uuid = seededUuid(random);
      const email = first ? DEMO_EMAIL : `${username.toLowerCase()}@example.com`;
      const made = await addPlayer(db, {
        uuid,
        email,
        email_verified_at: joined,
        username,
        password_hash: first ? demoHash : lockedHash,
        date_of_birth: `${1975 + Math.floor(random() * 32)}-0${1 + Math.floor(random() * 9)}-15`,
        avatar_color: person.color,
        jersey_number: person.jersey,
        league_mode_enabled: league_mode,
        // As adults, they may let screens show their names. Every third does not (HAND-55).
        visibility: seats.length % 3 === 2 ? 'players' : 'venue',
        created_at: joined,
      });
      if (made === undefined) throw new Error(`a player has the address ${email}`);
      seats.push({ ...person, id: made.id, email, uuid, username, team, league_mode });
    }
  return seats;
}

async function freeUsername(db: Database, username: string): Promise<string> {
  for (let nth = 1; ; nth += 1) {
    const wanted = nth === 1 ? username : `${username}-${nth}`;
    const { rows } = await sql`select 1 from players where lower(username) = lower(${wanted})
      or email = ${`${wanted.toLowerCase()}@example.com`}`.execute(db);
    if (rows.length === 0) return wanted;
  }
}

async function opponentOf(db: Database, teamId: number, week: string): Promise<number> {
  const side = await db
    .selectFrom('matchup_sides')
    .select('opponent_id')
    .where('team_id', '=', teamId)
    .where('week', '=', week)
    .executeTakeFirst();
  return side?.opponent_id ?? 0;
}

async function setLeagueModes(
  db: Database,
  seats: DemoSeat[],
  from: Date,
  pause: Pause | null,
): Promise<void> {
  const changes = seats.map(({ id, league_mode }) => ({
    player_id: id,
    at: from,
    enabled: league_mode,
  }));
  // Joining the team has turned league mode on for them (HAND-46).
  for (const { id, league_mode } of seats)
    if (!league_mode) await updatePlayer(db, id, { league_mode_enabled: false });
  const paused = pause && seats[pause.player];
  if (paused)
    changes.push(
      { player_id: paused.id, at: pause.from, enabled: false },
      { player_id: paused.id, at: pause.to, enabled: true },
    );
  await db
    .insertInto('league_mode_changes')
    .values(changes)
    .onConflict((conflict) =>
      conflict
        .columns(['player_id', 'at'])
        .doUpdateSet(({ ref }) => ({ enabled: ref('excluded.enabled') })),
    )
    .execute();
}
