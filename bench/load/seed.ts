/**
 * Fills a database by COPY. It gets any number of games in half a year, players in teams and
 * leagues, a session for each player, machines with keys, and all derived figures, so that
 * `./backboard rebuild` changes nothing.
 * node bench/load/seed.ts --games 1000000 --players 10000 --teams 1000 --to .cache/bench/one
 * The folder of `--to` becomes a DATA_DIR.
 */
import { createHash, createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { emptyFolder, FILLING, startPostgres } from '../postgres.ts';
import { startNode } from '../processes.ts';

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
const TEAMS_IN_LEAGUE = 10;
export const VENUES = 200;
/** Many, because each machine may call only ten times a second. */
export const MACHINES = 2_000;
const WEEKS_PLAYED = 26;
const WEEKS_AHEAD = 4;
const GAMES_A_VISIT = 4;
const BETWEEN_GAMES_MS = 90_000;
export const PASSWORD = 'a long enough password';

export type Size = {
  games: number;
  players: number;
  teams: number;
  /** All games are in this week, one per visit, instead of spread over half a year. */
  thisWeek?: true;
};
export const USUAL: Size = { games: 1_000_000, players: 10_000, teams: 1_000 };

// --- Ids and secrets that the load generator derives too ---

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const hex12 = (n: number) => n.toString(16).padStart(12, '0');
export const emailOf = (player: number) => `player${player}@example.com`;
export const codeOf = (player: number) => `10000000-0000-4000-8000-${hex12(player)}`;
export const sessionOf = (player: number) => `20000000-0000-4000-8000-${hex12(player)}`;

export const REFRESH_KEY = sha256('refresh key');

/** A player's refresh token, in the form of server/accounts/tokens.ts. */
export function refreshOf(player: number): string {
  const session = Buffer.from(sessionOf(player).replaceAll('-', ''), 'hex');
  const body = Buffer.concat([session, sha256(`session ${player}`)]);
  const seal = createHmac('sha256', REFRESH_KEY).update(`4:seal${body.length}:`).update(body);
  return `bbr_${Buffer.concat([body, seal.digest().subarray(0, 16)]).toString('base64url')}`;
}

/** A machine's key, in the form of docs/machine-api.md. */
export function keyOf(machine: number): string {
  const id = `m${String(machine).padStart(11, '0')}`;
  const body = `bbm_test_${id}_${sha256(`machine ${machine}`).toString('hex')}`;
  return `${body}_${crc32(body).toString(16).padStart(8, '0')}`;
}

// --- Time -------------------------------------------------------------------------------------

const iso = (ms: number) => new Date(ms).toISOString();
const dayOf = (ms: number) => iso(ms).slice(0, 10);
/** Monday 00:00 UTC of the week; all leagues here are in UTC. */
export const mondayOf = (ms: number) => ms - ((ms - 4 * DAY_MS) % WEEK_MS);

// --- Games ------------------------------------------------------------------------------------

/** A pseudo-random number from 0 to 2^32 − 1, the same for the same `n`. */
function mix(n: number): number {
  let x = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b);
  return (x ^ (x >>> 16)) >>> 0;
}
const hex8 = (n: number) => n.toString(16).padStart(8, '0');

const ALL_TIME = '-infinity';

/** One player's derived figures, updated game by game. */
class Career {
  played = 0;
  highscore = 0;
  sum = 0;
  #rising = 0;
  #last = Number.POSITIVE_INFINITY;
  #days = 0;
  #day = 0;
  #week = 0;
  #counted: number[] = [];
  readonly won = new Map<string, string>();
  readonly weeks = new Map<string, number[]>();
  readonly bests = new Map<string, number>();
  readonly #currentWeek: number;

  /** `currentWeek` is its Monday, in ms since 1970. */
  constructor(currentWeek: number) {
    this.#currentWeek = currentWeek;
  }

  /** `game` is `<machine id>\t<game id>`, two columns of player_achievements. */
  add(game: string, score: number, time: number): void {
    const day = Math.floor(time / DAY_MS);
    this.#days = day === this.#day ? this.#days : day === this.#day + 1 ? this.#days + 1 : 1;
    this.#day = day;
    const week = mondayOf(time);
    if (week !== this.#week) {
      this.#week = week;
      this.#counted = [];
      this.weeks.set(dayOf(week), this.#counted);
    }
    if (this.#counted.length < 8) this.#counted.push(score);
    this.#rising = score > this.#last ? this.#rising + 1 : 0;
    this.#last = score;
    const beaten = this.played > 0 && score > this.highscore;
    this.played += 1;
    this.sum += score;
    this.highscore = Math.max(this.highscore, score);
    // A week that is over has no boards (API-28).
    for (const board of week < this.#currentWeek ? [ALL_TIME] : [ALL_TIME, dayOf(week)])
      if (score > (this.bests.get(board) ?? -1)) this.bests.set(board, score);
    const reached: Record<string, boolean> = {
      'first-game': true,
      'games-10': this.played >= 10,
      'games-50': this.played >= 50,
      'games-100': this.played >= 100,
      'personal-best': beaten,
      'three-better': this.#rising >= 3,
      'five-days': this.#days >= 5,
      'first-league-game': true,
      'four-counted': this.#counted.length >= 4,
      'all-eight': this.#counted.length >= 8,
    };
    for (const [key, is] of Object.entries(reached))
      if (is && !this.won.has(key)) this.won.set(key, `${iso(time)}\t${game}`);
  }
}

const homeMachine = (player: number) => ((player - 1) % MACHINES) + 1;
const venueOf = (machine: number) => ((machine - 1) % VENUES) + 1;
const teamOf = (player: number, { teams }: Size) => ((player - 1) % teams) + 1;

/**
 * Yields the games' COPY lines in the order of arrival, and adds each game to its player's career.
 */
function* games(size: Size, now: number, careers: Career[]): Generator<string> {
  const start = size.thisWeek ? mondayOf(now) : now - WEEKS_PLAYED * WEEK_MS;
  const gamesAVisit = size.thisWeek ? 1 : GAMES_A_VISIT;
  const visits = Math.ceil(size.games / gamesAVisit);
  const step = (now - start - 3_600_000) / visits;
  // A prime that does not divide the number of players, so everyone gets a turn.
  const stride = 7_919;
  let made = 0;
  for (let visit = 0; visit < visits; visit += 1) {
    const player = ((visit * stride) % size.players) + 1;
    const career = careers[player - 1];
    const machine = homeMachine(player);
    // Games fall into the first half of each hour, because visits begin in its first 30 %. The
    // second half is for games that a benchmark adds.
    const arrival = start + visit * step;
    const begin = arrival - (arrival % 3_600_000) + (arrival % 3_600_000) * 0.3;
    for (let at = 0; at < gamesAVisit && made < size.games; at += 1, made += 1) {
      const time = Math.floor(begin + at * BETWEEN_GAMES_MS);
      const score = 100 + (mix(made) % 400);
      const [a, b, c, d] = [mix(made), mix(made + 0x10000000), mix(made + 0x20000000), hex8(made)];
      const id = `${hex8(a)}-${hex8(b).slice(0, 4)}-4${hex8(b).slice(5)}-8${hex8(c).slice(1, 4)}-${hex8(c).slice(4)}${d}`;
      const digest = `${hex8(a)}${hex8(b)}${hex8(c)}${d}`.repeat(2);
      career?.add(`${machine}\t${id}`, score, time);
      yield `${machine}\t${id}\t${venueOf(machine)}\t${player}\t${score}\t${iso(time)}\t${dayOf(time)}\t${iso(time + 45_000)}\t45\t${score >> 2}\t${score >> 1}\tcounted\t\\\\x${digest}\t${teamOf(player, size)}\t${dayOf(mondayOf(time))}\n`;
    }
  }
}

const GAME_COLUMNS =
  'machine_id, id, venue_id, player_id, score, played_at, day, received_at, duration_s, shots_made, shots_attempted, state, digest, team_id, week';

// --- COPY -------------------------------------------------------------------------------------

export type OnProgress = (step: string, done: number, total: number) => void;
const CHUNK = 1 << 16;

/** The columns that 0.1 and 0.2 lack. The cluster's trial fills their tables too. */
const SINCE_02 = ['venue_id', 'best', 'best_sum'];

async function columnsOf(client: pg.Client, table: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [table],
  );
  return new Set(rows.map(({ name }) => name));
}

/** Whether the version that made this database knew the table: 0.1 lacks some. */
async function hasTable(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query(`select to_regclass('${table}') is not null as has`);
  return rows[0].has;
}

async function copy(
  client: pg.Client,
  table: string,
  columns: string,
  lines: Iterable<string>,
  told: (rows: number) => void = () => undefined,
): Promise<void> {
  const known = await columnsOf(client, table);
  const all = columns
    .split(', ')
    .map((name) => ({ name, has: known.has(name) || !SINCE_02.includes(name) }));
  const isWhole = all.every(({ has }) => has);
  const part = (line: string) => {
    const values = line.slice(0, -1).split('\t');
    return `${values.filter((_, at) => all[at]?.has).join('\t')}\n`;
  };
  const names = all.filter(({ has }) => has).map(({ name }) => name);
  const stream = client.query(copyFrom(`copy ${table} (${names.join(', ')}) from stdin`));
  const failed = new Promise<never>((_, fail) => stream.once('error', fail));
  const drained = () =>
    Promise.race([failed, new Promise<void>((done) => stream.once('drain', done))]);
  let chunk = '';
  let rows = 0;
  for (const line of lines) {
    chunk += isWhole ? line : part(line);
    rows += 1;
    if (chunk.length < CHUNK) continue;
    if (!stream.write(chunk)) await drained();
    chunk = '';
    told(rows);
  }
  const finished = new Promise<void>((done) => stream.once('finish', done));
  stream.end(chunk);
  await Promise.race([failed, finished]);
}

function* count(to: number, line: (n: number) => string): Generator<string> {
  for (let n = 1; n <= to; n += 1) yield `${line(n)}\n`;
}

async function copyPeople(client: pg.Client, size: Size, now: number): Promise<void> {
  const then = iso(mondayOf(now) - (WEEKS_PLAYED + 1) * WEEK_MS);
  const leagues = Math.ceil(size.teams / TEAMS_IN_LEAGUE);
  const password = await hash(PASSWORD, {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
    outputLen: 32,
  });
  await copy(
    client,
    'leagues',
    'id, name, timezone, starts_on, created_at',
    count(leagues, (n) => `${n}\tLeague ${n}\tUTC\t${then.slice(0, 10)}\t${then}`),
  );
  const leagueOf = (team: number) => Math.floor((team - 1) / TEAMS_IN_LEAGUE) + 1;
  await copy(
    client,
    'teams',
    'id, league_id, name, created_at',
    count(size.teams, (n) => `${n}\t${leagueOf(n)}\tTeam ${n}\t${then}`),
  );
  await copy(client, 'matchup_sides', 'league_id, team_id, week, opponent_id, home', matchups());
  function* matchups() {
    for (let week = -WEEKS_PLAYED; week <= WEEKS_AHEAD; week += 1)
      for (let team = 1; team <= size.teams; team += 1) {
        const opponent = opponentOf(team, week + WEEKS_PLAYED);
        if (opponent > size.teams) continue;
        const monday = dayOf(mondayOf(now) + week * WEEK_MS);
        yield `${leagueOf(team)}\t${team}\t${monday}\t${opponent}\t${team < opponent}\n`;
      }
  }
  await copy(
    client,
    'players',
    'id, uuid, email, email_verified_at, username, password_hash, date_of_birth, league_mode_enabled, team_id, created_at',
    count(
      size.players,
      (n) =>
        `${n}\t${codeOf(n)}\t${emailOf(n)}\t${then}\tplayer-${n}\t${password}\t2000-01-31\ttrue\t${teamOf(n, size)}\t${then}`,
    ),
  );
  await copy(
    client,
    'team_changes',
    'player_id, at, team_id',
    count(size.players, (n) => `${n}\t${then}\t${teamOf(n, size)}`),
  );
  await copy(
    client,
    'league_mode_changes',
    'player_id, at, enabled',
    count(size.players, (n) => `${n}\t${then}\ttrue`),
  );
  await copy(
    client,
    'sessions',
    'id, player_id, created_at, last_used_at, expires_at, client, refresh_hash',
    count(
      size.players,
      (n) =>
        `${sessionOf(n)}\t${n}\t${iso(now)}\t${iso(now)}\t${iso(now + 30 * DAY_MS)}\tFirefox on Linux\t\\\\x${sha256(refreshOf(n)).toString('hex')}`,
    ),
  );
  if (await hasTable(client, 'refresh_keys'))
    await client.query('update refresh_keys set key = $1', [REFRESH_KEY]);
  await copy(
    client,
    'venues',
    'id, name',
    count(VENUES, (n) => `${n}\tVenue ${n}`),
  );
  await copy(
    client,
    'machines',
    'id, name, venue_id, created_at',
    count(MACHINES, (n) => `${n}\tMachine ${n}\t${venueOf(n)}\t${then}`),
  );
  await copy(
    client,
    'machine_keys',
    'id, machine_id, hash, created_at',
    count(
      MACHINES,
      (n) => `${keyOf(n).split('_')[2]}\t${n}\t\\\\x${sha256(keyOf(n)).toString('hex')}\t${then}`,
    ),
  );
}

/** A team's opponent, by the circle method: the league's last team stays in place. */
function opponentOf(team: number, round: number): number {
  const first = team - ((team - 1) % TEAMS_IN_LEAGUE);
  const turning = TEAMS_IN_LEAGUE - 1;
  const at = (team - 1) % TEAMS_IN_LEAGUE;
  if (at === turning) return first + ((round * 5) % turning);
  const other = (((round - at) % turning) + turning) % turning;
  return first + (other === at ? turning : other);
}

async function copyDerived(client: pg.Client, size: Size, careers: Career[]): Promise<void> {
  function* lines(of: (career: Career, player: number) => Iterable<string>) {
    for (const [at, career] of careers.entries()) yield* of(career, at + 1);
  }
  await copy(
    client,
    'player_stats',
    'player_id, games_played, highscore, score_sum',
    lines(function* ({ played, highscore, sum }, n) {
      if (played > 0) yield `${n}\t${played}\t${highscore}\t${sum}\n`;
    }),
  );
  await copy(
    client,
    'bests',
    'venue_id, week, player_id, score',
    lines(function* ({ bests }, player) {
      for (const [week, score] of bests)
        for (const venue of [0, venueOf(homeMachine(player))])
          yield `${venue}\t${week}\t${player}\t${score}\n`;
    }),
  );
  if (await hasTable(client, 'best_counts'))
    await client.query(`
    insert into best_counts (venue_id, week, score, players)
    select venue_id, week, score, count(*) from bests group by 1, 2, 3 order by 1, 2, 3`);
  // Insert week by week, as real use does.
  const weeks = new Set(careers.flatMap((career) => [...career.weeks.keys()]));
  await copy(
    client,
    'league_weeks',
    'team_id, week, player_id, games_played, score_sum, total, fourth_best, best, best_sum',
    [...weeks].sort().flatMap((week) => [
      ...lines(function* (career, player) {
        const best = career.weeks.get(week)?.toSorted((a, b) => b - a);
        if (best === undefined) return;
        const total = (all: number[]) => all.reduce((sum, score) => sum + score, 0);
        yield `${teamOf(player, size)}\t${week}\t${player}\t${best.length}\t${total(best)}\t${total(best.slice(0, 4))}\t${best[3] ?? '\\N'}\t${best[0]}\t${total(best)}\n`;
      }),
    ]),
  );
  if (await hasTable(client, 'team_weeks')) {
    // As after a night.
    await client.query(`
    insert into team_weeks (team_id, week, total, best)
    select team_id, week, sum(total), max(best) from league_weeks
    where week < date_trunc('week', now()) group by 1, 2 order by 1, 2`);
    await client.query(
      `update seasons set summed_to = least(last_week, date_trunc('week', now())::date - 7)`,
    );
  }
  await copy(
    client,
    'player_achievements',
    'player_id, key, unlocked_at, machine_id, game_id',
    lines(function* ({ won }, player) {
      for (const [key, rest] of won) yield `${player}\t${key}\t${rest}\n`;
    }),
  );
}

/**
 * Drops a table's indexes and keys, and foreign keys to it. Returns the statements that restore
 * them.
 */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows: constraints } = await client.query<{ off: string; on: string }>(`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid)) as on
    from pg_constraint
    where confrelid = '${table}'::regclass
      or (conrelid = '${table}'::regclass and contype in ('p', 'u'))
    order by contype`);
  const { rows: indexes } = await client.query<{ off: string; on: string }>(`
    select format('drop index %s', indexrelid::regclass) as off, pg_get_indexdef(indexrelid) as on
    from pg_index where indrelid = '${table}'::regclass
      and not exists (select from pg_constraint where conindid = indexrelid)`);
  for (const { off } of [...constraints, ...indexes]) await client.query(off);
  // Restore foreign keys last, because they reference the other keys.
  return [...indexes, ...constraints.toReversed()].map(({ on }) => on);
}

/** Replaces the folder with a DATA_DIR that has data of this size. */
export async function seed(folder: string, size: Size, onProgress: OnProgress): Promise<void> {
  emptyFolder(folder);
  const app = await startNode('server/main.ts', {
    env: { DATA_DIR: folder, DEMO: '0', DRAIN_SECONDS: '0' },
    cpus: null,
    ready: '/health/ready',
  });
  await app.stop();
  const database = await startPostgres(folder, { settings: FILLING });
  const client = new pg.Client({ host: database.host, user: 'postgres', database: 'backboard' });
  await client.connect();
  try {
    await fill(client, size, onProgress);
  } finally {
    await client.end();
    await database.stop();
  }
}

/** Fills an empty migrated database. `client` is connected as a superuser. */
export async function fill(client: pg.Client, size: Size, onProgress: OnProgress): Promise<void> {
  const now = Date.now();
  const careers = Array.from({ length: size.players }, () => new Career(mondayOf(now)));
  onProgress('people', 0, 1);
  // Triggers give each league its season.
  await copyPeople(client, size, now);
  // Skip the checks of foreign keys: all referenced rows exist.
  await client.query('set session_replication_role = replica');
  const indexes = await dropIndexes(client, 'games');
  await client.query('begin');
  // With wal_level=minimal, COPY writes no WAL after a truncate in the same transaction.
  await client.query('truncate games');
  await copy(client, 'games', GAME_COLUMNS, games(size, now, careers), (rows) =>
    onProgress('games', rows, size.games),
  );
  await client.query('commit');
  onProgress('figures', 0, 1);
  await copyDerived(client, size, careers);
  for (const [at, statement] of indexes.entries()) {
    onProgress('indexes', at, indexes.length);
    await client.query(statement);
  }
  for (const table of ['leagues', 'teams', 'players', 'venues', 'machines'])
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), max(id)) from ${table}`,
    );
  onProgress('vacuum', 0, 1);
  await client.query('vacuum (analyze, freeze)');
  await client.query('checkpoint');
}

/**
 * Returns a function that shows progress on stderr: one line on a terminal, otherwise one for every
 * 10 %.
 */
export function progressLine(): OnProgress {
  let last = '';
  return (step, done, total) => {
    const percent = Math.floor((100 * done) / total);
    const line = `${step} ${percent} %`;
    if (line === last || (!process.stderr.isTTY && percent % 10 !== 0)) return;
    last = line;
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`);
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      games: { type: 'string', default: String(USUAL.games) },
      players: { type: 'string', default: String(USUAL.players) },
      teams: { type: 'string', default: String(USUAL.teams) },
      to: { type: 'string', default: '.cache/bench/seed' },
    },
  });
  const begun = performance.now();
  const size = {
    games: Number(values.games),
    players: Number(values.players),
    teams: Number(values.teams),
  };
  await seed(resolve(values.to), size, progressLine());
  console.log(`\n${values.to} in ${Math.round((performance.now() - begun) / 1000)} s`);
}
