import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSigner } from 'fast-jwt';
import { bestClients, pgbench, type Script, scriptOf } from '../limits/pgbench.ts';
import { embeddedVersion } from '../postgres.ts';
import { memoryOf, ROOT, type Running, startNode, startServer } from '../processes.ts';
import { figure, median } from '../report.ts';
import { duels } from './duels.ts';
import { evening } from './evening.ts';
import { type Failover, failOver } from './failover.ts';
import { friends } from './friends.ts';
import { type Acknowledged, proveExactlyOnce, reportedGames } from './games.ts';
import { load, request } from './load.ts';
import { migration } from './migration.ts';
import { million } from './million.ts';
import {
  emailOf,
  MACHINES,
  PASSWORD,
  REFRESH_KEY,
  refreshOf,
  type Size,
  USUAL,
  VENUES,
} from './seed.ts';
import { streams } from './streams.ts';
import {
  CONNECTIONS,
  copyOfSeed,
  LIMITS,
  perSecond,
  read,
  refresh,
  SERVER_CORE,
  type TestBed,
} from './test-bed.ts';
import { both, inTurns, type Part, ratios, type Settings, withTestBed } from './turns.ts';

/*
 * The parts of the load benchmark. Each puts one kind of load on servers with a copy of the seed.
 */

// --- Against bare Fastify ---------------------------------------------------------------------

const BARE_SECRET = 'the same for the token and for the check of it';

async function answerTo(bed: TestBed, path: string): Promise<string> {
  let answer = '';
  await load({
    port: bed.app.port,
    connections: 1,
    seconds: 1,
    warmUpSeconds: 0,
    next: () =>
      answer !== ''
        ? null
        : {
            text: request('GET', path, { authorization: `Bearer ${bed.token()}` }),
            answered: (_, body) => {
              answer = body;
            },
          },
  });
  return answer;
}

/** Starts the bare server on our server's core. It serves a profile from our server. */
async function openBare(
  bed: TestBed,
  more: Record<string, string> = {},
): Promise<Running & { token: string }> {
  const bare = await startNode('bench/limits/bare.ts', {
    env: {
      NODE_ENV: 'production',
      SECRET: BARE_SECRET,
      REFRESH_KEY: REFRESH_KEY.toString('hex'),
      PROFILE: await answerTo(bed, PROFILE),
      ...more,
    },
    cpus: SERVER_CORE,
    ready: '/plain',
  });
  const sign = createSigner({ key: BARE_SECRET, algorithm: 'HS256', expiresIn: '1h' });
  // The claims of our server's tokens.
  const token = sign({
    iss: 'http://127.0.0.1',
    aud: 'backboard-api',
    sub: '1234',
    sid: randomUUID(),
    jti: randomUUID(),
  });
  return { ...bare, token };
}

const bareRequests =
  (bare: Running & { token: string }, { seconds }: Settings, path = '/profile') =>
  async () =>
    perSecond(
      await load({
        port: bare.port,
        connections: CONNECTIONS,
        seconds,
        next: () => ({ text: request('GET', path, { authorization: `Bearer ${bare.token}` }) }),
      }),
    );

const PROFILE = '/api/users/profile/';
const LEAGUE = '/api/leaderboards/user-league-stats/';

const reading = (bed: TestBed, path: string, settings: Settings) => async () => {
  await bed.refreshTokens();
  return perSecond(await read(bed, path, settings));
};

const profile: Part = (settings, say) =>
  withTestBed(settings, async (bed) => {
    const bare = await openBare(bed);
    const script = scriptOf('profile', { players: bed.size.players });
    const clients = await bestClients(bed.database, script);
    const values = await inTurns(settings, say, {
      ours: reading(bed, PROFILE, settings),
      'bare Fastify with token': bareRequests(bare, settings),
      'bare Fastify': bareRequests(bare, settings, '/plain'),
      pgbench: () => pgbench(bed.database, script, { ...settings, clients }),
    });
    await bare.stop();
    const other = values['bare Fastify with token'];
    return [
      {
        work: 'GET profile',
        figures: `${both('ours', values.ours, 'bare Fastify with token', other)}; without token ${figure(median(values['bare Fastify']))}, pgbench with ${clients} clients ${figure(median(values.pgbench))} /s`,
        values: ratios(values.ours, other),
        unit: '×',
        goal: { least: 0.8 },
      },
    ];
  });

/** The most players whose league stats the server reads with one statement. */
const LEAGUE_BATCH = 20;

/** The statement with which the server last read league stats. */
async function leagueStatement({ database }: TestBed): Promise<string> {
  const [seen] = await database.query<{ query: string }>(
    "select query from pg_stat_activity where query like '%matchup_sides%' and query not like '%pg_stat_activity%'",
  );
  return seen?.query ?? '';
}

/** The statement as a pgbench script, for LEAGUE_BATCH random players. */
function leagueScript(statement: string, { players: count }: Size): Script {
  const players = Array.from({ length: LEAGUE_BATCH }, (_, at) => `:p${at}`);
  const values: Record<string, string> = {
    '$1::text[]': "array['UTC']",
    '$2::date[]': "array[date_trunc('week', now())::date]",
    '$3::bigint[]': `array[${players.map((name) => `${name}::bigint`)}]`,
  };
  let text = statement;
  for (const [parameter, value] of Object.entries(values)) {
    if (!text.includes(parameter)) throw new Error(`no ${parameter} in the statement: ${text}`);
    text = text.replace(parameter, value);
  }
  const drawn = players.map((name) => `\\set ${name.slice(1)} random(1, :players)\n`).join('');
  return { text: `${drawn}${text};\n`, variables: { players: count } };
}

const league: Part = (settings, say) =>
  withTestBed(settings, async (bed) => {
    await read(bed, LEAGUE, { seconds: 1 });
    const statement = await leagueStatement(bed);
    const script = leagueScript(statement, bed.size);
    const clients = await bestClients(bed.database, script);
    const bare = await openBare(bed, {
      LEAGUE: await answerTo(bed, LEAGUE),
      STATEMENT: statement,
      DATABASE_URL: bed.database.url,
      PLAYERS: `${bed.size.players}`,
      BATCH: `${LEAGUE_BATCH}`,
    });
    const values = await inTurns(settings, say, {
      'league stats': reading(bed, LEAGUE, settings),
      'bare Fastify': bareRequests(bare, settings, '/league'),
      pgbench: async () =>
        LEAGUE_BATCH * (await pgbench(bed.database, script, { ...settings, clients })),
      profile: reading(bed, PROFILE, settings),
    });
    await bare.stop();
    return [
      {
        work: 'GET user-league-stats, of bare Fastify',
        figures: `${both('ours', values['league stats'], 'bare Fastify with token and the same statement, without sessions', values['bare Fastify'])} /s`,
        values: ratios(values['league stats'], values['bare Fastify']),
        unit: '×',
        goal: { least: 0.6 },
      },
      {
        work: 'GET user-league-stats',
        figures: `${both('ours', values['league stats'], `the same statement, for ${LEAGUE_BATCH} players, in pgbench with ${clients} clients`, values.pgbench)}; our profile ${figure(median(values.profile))} /s`,
        values: ratios(values['league stats'], values.pgbench),
        unit: '×',
        goal: { least: 0.6 },
      },
    ];
  });

/** All games of FEW are in this week, so that a read returns as many rows as with MANY. */
const FEW = { ...USUAL, games: 10_000, thisWeek: true } as const;
const MANY = { ...USUAL, games: 10_000_000 };

const history: Part = (settings, say) =>
  withTestBed(
    settings,
    (few) =>
      withTestBed(
        settings,
        async (many) => {
          const values = await inTurns(settings, say, {
            'ten thousand games': reading(few, LEAGUE, settings),
            'ten million games': reading(many, LEAGUE, settings),
          });
          const [a, b] = [values['ten thousand games'], values['ten million games']];
          return [
            {
              work: 'The same with 10 thousand and 10 million games',
              figures: `${both('10 thousand', a, '10 million', b)} /s`,
              values: ratios(a, b),
              unit: '×',
              goal: { most: 1.1 },
            },
          ];
        },
        { name: 'many' },
        MANY,
      ),
    { name: 'few' },
    FEW,
  );

/** Makes refresh requests, each with the latest token of a different player. */
export function rotations({ players }: Size, path?: string) {
  const tokens = Array.from({ length: players }, (_, at) => refreshOf(at + 1));
  const turns = Array.from({ length: CONNECTIONS }, () => 0);
  return (connection: number) => {
    const turn = turns[connection] ?? 0;
    turns[connection] = turn + 1;
    const at = (connection + turn * CONNECTIONS) % tokens.length;
    return {
      text: refresh(tokens[at] ?? '', true, path),
      answered: (status: number, body: string) => {
        if (status === 200) tokens[at] = JSON.parse(body).refresh;
      },
    };
  };
}

const refreshing: Part = (settings, say) =>
  withTestBed(settings, async (bed) => {
    const bare = await openBare(bed);
    const refreshing = ({ port }: Running, path?: string) => {
      const next = rotations(bed.size, path);
      return async () =>
        perSecond(await load({ port, connections: CONNECTIONS, next, ...settings }));
    };
    const values = await inTurns(settings, say, {
      ours: refreshing(bed.app),
      'the same cryptography': refreshing(bare, '/refresh'),
    });
    await bare.stop();
    const other = values['the same cryptography'];
    return [
      {
        work: 'Token refresh, rotated',
        figures: `${both('ours', values.ours, 'bare Fastify with the same cryptography and no database', other)} /s`,
        values: ratios(values.ours, other),
        unit: '×',
        goal: { least: 0.6 },
      },
    ];
  });

// --- Games ------------------------------------------------------------------------------------

const gamesScript = ({ players, teams }: Size, games: number) =>
  scriptOf('games', { games, players, teams, machines: MACHINES, venues: VENUES });

/** Measures reports of `count` games, and PostgreSQL alone writing as many rows. */
const reports =
  (count: number, work: string, least: number): Part =>
  (settings, say) =>
    withTestBed(
      settings,
      async (bed) => {
        const acknowledged: Acknowledged = new Map();
        const begun = new Date();
        const next = reportedGames(bed.size, acknowledged, count);
        const script = gamesScript(bed.size, count);
        const clients = await bestClients(bed.database, script, LIMITS);
        const values = await inTurns(settings, say, {
          ours: async () =>
            count *
            perSecond(
              await load({ port: bed.app.port, connections: CONNECTIONS, next, ...settings }),
            ),
          pgbench: async () =>
            count * (await pgbench(bed.database, script, { ...settings, clients, on: LIMITS })),
        });
        say(await proveExactlyOnce(bed.database, begun, acknowledged));
        return [
          {
            work,
            figures: `${both('ours', values.ours, `all rows of ${count === 1 ? 'a game' : `${count} games`} a transaction, in pgbench with ${clients} clients`, values.pgbench)} games/s`,
            values: ratios(values.ours, values.pgbench),
            unit: '×',
            goal: { least },
          },
        ];
      },
      { limits: true },
    );

/** Starts bench/limits/plain_django.py with the database LIMITS, on the core of our server. */
function openDjango({ database }: TestBed): Promise<Running> {
  const command =
    'gunicorn --log-level warning --workers 3 --threads 8 --chdir bench/limits plain_django:application';
  const env = {
    DATABASE_URL: database.url,
    DATABASE_NAME: LIMITS,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return startServer(command.split(' '), { env, cpus: SERVER_CORE, ready: '/ready' });
}

function hasDjango(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import django, gunicorn, psycopg2'], {
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

const django: Part = async (settings, say) => {
  if (!hasDjango()) {
    say('left out: apt-get install python3-django gunicorn python3-psycopg2');
    return [];
  }
  return withTestBed(
    settings,
    async (bed) => {
      const plain = await openDjango(bed);
      const reporting = ({ port }: Running) => {
        const next = reportedGames(bed.size, new Map(), 1);
        return async () =>
          perSecond(await load({ port, connections: CONNECTIONS, next, ...settings }));
      };
      const values = await inTurns(settings, say, {
        ours: reporting(bed.app),
        Django: reporting(plain),
      }).finally(() => plain.stop());
      return [
        {
          work: 'POST games, one a call, beside Django',
          figures: `${both('ours', values.ours, 'a plain Django server that stores the same', values.Django)} games/s`,
          values: ratios(values.ours, values.Django),
          unit: '×',
          goal: { least: 8 },
        },
      ];
    },
    { limits: true },
  );
};

const games = reports(1, 'POST games, one a call', 1.5);
const batch = reports(100, 'POST games, 100 a call', 0.5);

// --- Signing in -------------------------------------------------------------------------------

/** Makes sign-ins, each by a different player from a different address. */
export function signIns({ players }: Size) {
  let at = 0;
  return () => {
    at += 1;
    const from = `10.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`;
    const body = JSON.stringify({ email: emailOf((at % players) + 1), password: PASSWORD });
    const headers = { 'x-forwarded-for': from };
    return { text: request('POST', '/api/users/auth/login/', headers, body) };
  };
}

const login: Part = (settings, say) =>
  withTestBed(
    settings,
    async (bed) => {
      const next = signIns(bed.size);
      // At most about 100 reads a second.
      const reader = { seconds: settings.seconds, connections: 1, restMs: 9 };
      let meanwhile = Number.NaN;
      const values = await inTurns(settings, say, {
        'p99 of a profile read, idle': async () => {
          await bed.refreshTokens();
          return (await read(bed, PROFILE, reader)).p99;
        },
        'sign-ins': async () => {
          const reads = read(bed, PROFILE, reader);
          const signIns = await load({ port: bed.app.port, connections: 8, next, ...settings });
          meanwhile = (await reads).p99;
          return perSecond(signIns);
        },
        'p99 of a profile read meanwhile': async () => meanwhile,
      });
      const idle = values['p99 of a profile read, idle'];
      const busy = values['p99 of a profile read meanwhile'];
      return [
        {
          work: 'Sign-ins, eight clients',
          figures: 'beside a hundred profile reads a second',
          values: values['sign-ins'],
          unit: '/s',
          goal: { least: 60 },
        },
        {
          work: 'p99 of a profile read during logins',
          figures: `${both('meanwhile', busy, 'idle', idle)} ms`,
          values: ratios(busy, idle),
          unit: '×',
          goal: { most: 3 },
        },
      ];
    },
    // One core for the password hashes, one for everything else.
    { cpus: null },
  );

// --- Latency, start, memory -------------------------------------------------------------------

const READS = [
  PROFILE,
  LEAGUE,
  '/api/leaderboards/user-league-season/',
  '/api/leaderboards/',
  '/api/leaderboards/?scope=league&period=week',
  '/api/leaderboards/?scope=venue&period=week',
  '/api/users/profile/games/',
  '/api/users/sessions/',
  '/api/achievements/',
  '/api/achievements/user_achievements/',
  '/api/config/',
];

const latency: Part = (settings, say) =>
  withTestBed(settings, async (bed) => {
    const times = new Map<string, { p50: number; p99: number }[]>();
    for (let round = 1; round <= settings.rounds; round += 1)
      for (const path of READS) {
        await bed.refreshTokens();
        const result = await read(bed, path, { connections: 1, seconds: settings.seconds / 2 });
        perSecond(result);
        times.set(path, [...(times.get(path) ?? []), result]);
        say(
          `round ${round} of ${settings.rounds}, ${path}: p50 ${figure(result.p50)} ms, p99 ${figure(result.p99)} ms`,
        );
      }
    return [...times].map(([path, rounds]) => ({
      work: `One connection: ${path}`,
      figures: both(
        'p99',
        rounds.map(({ p99 }) => p99),
        'p50',
        rounds.map(({ p50 }) => p50),
      ).concat(' ms'),
      values: rounds.map(({ p50, p99 }) => p99 / p50),
      unit: '×',
      goal: { most: 5 },
    }));
  });

const IDLE_MS = 10_000;

const start: Part = async (settings, say) => {
  const folder = await copyOfSeed(USUAL, 'start');
  const open = () =>
    startNode('server/main.ts', {
      env: {
        DATA_DIR: folder,
        DRAIN_SECONDS: '0',
        // Use a compile cache, as deploy/backboard.service and `npm start` do.
        NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled'),
      },
      cpus: null,
      ready: '/health/ready',
    });
  await (await open()).stop();
  const postgres = await embeddedVersion();
  let mebibytes = Number.NaN;
  const values = await inTurns(settings, say, {
    seconds: async () => {
      const app = await open();
      await sleep(IDLE_MS);
      mebibytes = memoryOf(app.pid);
      await app.stop();
      return app.readyMs / 1000;
    },
    mebibytes: async () => mebibytes,
  });
  return [
    {
      work: 'Start to ready, existing data',
      figures: 'app and embedded database, 1 million games',
      values: values.seconds,
      unit: 's',
      goal: { most: 0.8 },
      postgres,
    },
    {
      work: 'Idle memory',
      figures: 'app and embedded database, ten seconds after the start',
      values: values.mebibytes,
      unit: 'MiB',
      goal: { most: 200 },
      postgres,
    },
  ];
};

// --- Failover ---------------------------------------------------------------------------------

const failover: Part = async (settings, say) => {
  const postgres = await embeddedVersion();
  const runs: Failover[] = [];
  for (let round = 1; round <= settings.rounds; round += 1) {
    const run = await failOver(say);
    say(`round ${round} of ${settings.rounds}: ${run.proof}; ${run.repeated} calls repeated`);
    runs.push(run);
  }
  const middle = (of: (run: Failover) => number) => figure(median(runs.map(of)));
  return [
    {
      work: 'Failover: without a recorded game',
      figures: `primary killed under load; noticed after ${middle(({ noticed }) => noticed)} s, standby promoted after ${middle(({ promoted }) => promoted)} s; no acknowledged game lost, none twice`,
      values: runs.map(({ withoutGames }) => withoutGames),
      unit: 's',
      goal: { most: 10 },
      postgres,
    },
    {
      work: 'Failover: without a profile read',
      figures: 'the same',
      values: runs.map(({ withoutReads }) => withoutReads),
      unit: 's',
      goal: { most: 10 },
      postgres,
    },
  ];
};

/** In the order in which they run. */
export const PARTS: Record<string, Part> = {
  profile,
  league,
  history,
  games,
  batch,
  django,
  evening,
  duels,
  friends,
  refresh: refreshing,
  login,
  latency,
  million,
  start,
  failover,
  streams,
  migration,
};
