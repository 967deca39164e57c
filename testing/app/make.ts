import { randomBytes, randomUUID } from 'node:crypto';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Role } from '#contract/rules/staff.ts';
import type { Tokens } from '#contract/wire/accounts.ts';
import type { MachineGame } from '#contract/wire/machines.ts';
import type { PairAnswer } from '#contract/wire/pairing.ts';
import { openSession } from '../../server/accounts/sessions.ts';
import { findNamed } from '../../server/db/reference.ts';
import type { Schema } from '../../server/db/schema.ts';
import type { Deps } from '../../server/deps.ts';
import { recordGames } from '../../server/games/record.ts';
import { beginPairing, claim, type Device, findWaiting } from '../../server/http/pairing.ts';
import { createLeague, createTeam, type League, type Team } from '../../server/leagues/leagues.ts';
import { addToTeam } from '../../server/leagues/rosters.ts';
import { addMachine } from '../../server/machines/machines.ts';
import { lockPlayers } from '../../server/players/players.ts';
import { addScreen, giveToken } from '../../server/screens/pairing.ts';
import type { Screen } from '../../server/screens/screens.ts';
import { ABSOLUTE_MS, makeSecret } from '../../server/staff/sessions.ts';
import { addStaff } from '../../server/staff/staff.ts';
import { findOrAddVenue, VENUES } from '../../server/venues/venues.ts';
import type { TestClock } from './test-app.ts';

/** A test's app, or a server process's database. */
export type World = Pick<Deps, 'config' | 'db' | 'clock'>;
type LimitWorld = World & Pick<Deps, 'log'>;

let made = 0;
const next = () => ++made;

/** A new address at each call, because rate limits count per address. */
export function makeIp(): string {
  const n = next();
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
}

/** A verified player with a complete profile and no password. */
export async function makePlayer(
  t: World,
  columns: Partial<Insertable<Schema['players']>> = {},
): Promise<Selectable<Schema['players']>> {
  const n = next();
  return t.db
    .insertInto('players')
    .values({
      email: `player${n}@example.com`,
      email_verified_at: t.clock.now(),
      username: `player-${n}`,
      date_of_birth: '2000-01-31',
      created_at: t.clock.now(),
      ...columns,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Opens a session. Pass its access token as `as` to `call`. */
export function makeSession(t: World, player: { id: number }): Promise<Tokens> {
  return t.db.transaction().execute((trx) => openSession(t, trx, player.id, 'Firefox on Linux'));
}

/** Advances the clock to noon UTC on a Wednesday: "an hour ago" is in the same week. */
export function goToMidweek(t: { clock: TestClock }): void {
  const now = t.clock.now();
  const days = (3 - now.getUTCDay() + 7) % 7 || 7;
  const noon = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + days, 12);
  t.clock.advance(noon - now.getTime());
}

/** A league, which by default started a year ago. */
export async function makeLeague(
  t: World,
  {
    name = `League ${next()}`,
    timezone = 'UTC',
    starts = daysAgo(t, 364),
    venue,
  }: { name?: string; timezone?: string; starts?: string; venue?: string } = {},
): Promise<League> {
  const at = venue === undefined ? null : await findOrAddVenue(t.db, venue);
  return createLeague(t, { name, timezone, starts, venue: at });
}

const daysAgo = (t: World, days: number) =>
  new Date(t.clock.now().getTime() - days * 24 * 3_600_000).toISOString().slice(0, 10);

/** A team whose players have league mode on and joined at `since`. */
export async function makeTeam(
  t: World,
  league: League,
  players: { id: number; email: string }[] = [],
  { name = `Team ${next()}`, since = new Date(daysAgo(t, 365)) } = {},
): Promise<Team> {
  const team = await createTeam(t, league, name);
  await joinTeam(t, team, players, since);
  return team;
}

/** Puts players on a team as of `since`, with league mode on. */
export async function joinTeam(
  t: World,
  team: Team,
  players: { id: number; email: string }[],
  since: Date,
): Promise<void> {
  await addToTeam(
    t,
    team,
    players.map(({ email }) => email),
    { at: since },
  );
  for (const player of players) await setLeagueMode(t, player, true, since);
}

export async function setLeagueMode(
  t: World,
  { id }: { id: number },
  enabled: boolean,
  at: Date = t.clock.now(),
): Promise<void> {
  await sql`
    with changed as (update players set league_mode_enabled = ${enabled} where id = ${id} returning id)
    insert into league_mode_changes (player_id, at, enabled) select id, ${at}, ${enabled} from changed
    on conflict (player_id, at) do update set enabled = excluded.enabled`.execute(t.db);
}

export async function makeMachine(
  t: World,
  { name = `Court ${next()}`, venue }: { name?: string; venue?: string } = {},
) {
  return addMachine(t, { name, venue });
}

/** A game as a machine reports it, played a minute ago. `fields` can make it invalid. */
export function aGame(
  t: World,
  { uuid }: { uuid: string },
  fields: Partial<Record<keyof MachineGame, unknown>> = {},
) {
  const game = {
    id: randomUUID() as string,
    player: uuid,
    score: 300,
    played_at: new Date(t.clock.now().getTime() - 60_000).toISOString(),
  };
  return { ...game, ...fields } as typeof game;
}

/**
 * Records games of any age without the machine API; by default, they were played a minute ago.
 * Returns each game with its outcome.
 */
export async function makeGames(
  t: World,
  machine: { id: number },
  player: { id: number },
  games: { id?: string; score?: number; played_at?: Date; duration_s?: number }[],
) {
  const now = t.clock.now();
  const { venue_id } = await t.db
    .selectFrom('machines')
    .select('venue_id')
    .where('id', '=', machine.id)
    .executeTakeFirstOrThrow();
  const rows = games.map(({ id, score, played_at, duration_s }) => ({
    machine_id: machine.id,
    venue_id,
    id: id ?? randomUUID(),
    player_id: player.id,
    score: score ?? 300,
    played_at: played_at ?? new Date(now.getTime() - 60_000),
    duration_s: duration_s ?? null,
    shots_made: null,
    shots_attempted: null,
    digest: randomBytes(32),
  }));
  const outcomes = await t.db.transaction().execute(async (trx) => {
    await lockPlayers(trx, [player.id]);
    return recordGames(trx, rows, { receivedAt: now, maxScore: t.config.max_score });
  });
  const numbers = await t.db
    .selectFrom('games')
    .select(['id', 'seq'])
    .where('machine_id', '=', machine.id)
    .execute();
  const seqs = new Map(numbers.map(({ id, seq }) => [id, seq]));
  return rows.map((row) => {
    const seq = seqs.get(row.id) ?? 0;
    return { ...row, seq, game: String(seq), outcome: outcomes.get(row) };
  });
}

/** The number of the game with this id. */
export async function numberOf(t: World, id: string | undefined): Promise<number> {
  const { seq } = await t.db
    .selectFrom('games')
    .select('seq')
    .where('id', '=', id ?? '')
    .executeTakeFirstOrThrow();
  return seq;
}

/** Adds a member of staff with an open session. Pass its `headers` to `call`. */
export async function makeStaff(
  t: World,
  {
    name = `Staff ${next()}`,
    role = 'owner' as Role,
    venues = [] as string[],
    leagues = [] as string[],
  } = {},
): Promise<{ id: number; name: string; headers: { cookie: string; origin: string } }> {
  const { secret, hash } = makeSecret();
  const now = t.clock.now();
  const { id } = await t.db.transaction().execute(async (trx) => {
    const given = venues.length + leagues.length > 0 ? { venues, leagues } : { everything: true };
    const staff = await addStaff(t, trx, { name, role, ...given });
    await trx
      .insertInto('staff_sessions')
      .values({
        hash,
        staff_id: staff.id,
        passkey_id: null,
        device: 'Test',
        client: 'Firefox on Linux',
        created_at: now,
        last_used_at: now,
        expires_at: new Date(now.getTime() + ABSOLUTE_MS),
      })
      .execute();
    return staff;
  });
  const origin = t.config.public_url;
  const prefix = origin.startsWith('https:') ? '__Host-' : '';
  return { id, name, headers: { cookie: `${prefix}backboard_staff=${secret}`, origin } };
}

/** A television or machine with a pairing code. */
export function makeWaiting(t: LimitWorld, what: Device = 'screen'): Promise<PairAnswer> {
  return beginPairing(t, what, makeIp());
}

export async function makeScreen(
  t: LimitWorld,
  venue: string,
  name = `Screen ${randomUUID()}`,
): Promise<Screen & { token: string }> {
  const { code, secret } = await makeWaiting(t);
  const waiting = await findWaiting(t, 'screen', makeIp(), code);
  const screen = await addScreen(t, waiting, await findNamed(t.db, VENUES, venue), name);
  return { ...screen, token: (await claim(t, 'screen', makeIp(), secret, giveToken)) ?? '' };
}
