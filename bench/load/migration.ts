import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { production, startNode } from '../processes.ts';
import { figure } from '../report.ts';
import { USUAL } from './seed.ts';
import { openTestBed, type TestBed } from './test-bed.ts';
import type { Part } from './turns.ts';

/** The migrations since version 0.2 that change `games`. */
const AGAIN = [
  '032-venue-of-a-game',
  '033-games-by-venue',
  '040-landed-games',
  '051-off-season',
  '056-decisions-and-backups',
];

/** Undoes these migrations, so that the server runs them again. Moves each machine once. */
const UNDO = `
  drop trigger game_venue on games; drop function game_venue;
  drop trigger machine_moved on machines; drop function machine_moved;
  drop trigger audit_facts on audit; drop function audit_facts;
  drop table game_decisions, backups;
  alter table staff drop column joined_at;
  drop index games_by_venue, games_seq;
  alter table games drop column venue_id, drop column landed_at,
    drop constraint games_outside_check,
    add constraint games_outside_check check (outside in ('league_mode_off', 'no_team'));
  insert into machine_moves select id, now() - interval '180 days', venue_id from machines;
  delete from migrations where name in ('${AGAIN.join("', '")}') returning name`;

/** Records games one by one, as version 0.2 does, until `stop`, which returns each game's ms. */
function recordGames(host: string): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let stopped = false;
  const client = new pg.Client({ host, user: 'postgres', database: 'backboard' });
  const work = (async () => {
    await client.connect();
    while (!stopped) {
      const begun = performance.now();
      await client.query(
        `insert into games (machine_id, id, player_id, score, played_at, day, received_at, state,
           digest, outside)
         values (1, $1, 1, 300, now(), current_date, now(), 'counted', sha256(''), 'no_team')`,
        [randomUUID()],
      );
      times.push(performance.now() - begun);
    }
    await client.end();
  })();
  return {
    stop: async () => {
      stopped = true;
      await work;
      return times;
    },
  };
}

/** Measures a game's longest wait while AGAIN runs on a million games (REL-22). */
export const migration: Part = async (settings, say) => {
  const waits: number[] = [];
  const seconds: number[] = [];
  let bed: TestBed | undefined;
  for (let round = 1; round <= settings.rounds; round += 1) {
    bed = await openTestBed(USUAL, { name: 'migration' });
    const { app, database, folder } = bed;
    await app.stop();
    const undone = await database.query(...UNDO.split(';'));
    if (undone.length < AGAIN.length) throw new Error(`only ${undone.length} migrations run again`);
    await database.query('vacuum (analyze) games');
    const recording = recordGames(database.host);
    const { readyMs, stop } = await startNode('server/main.ts', {
      env: production(database.url, { DATA_DIR: folder }),
      cpus: null,
      ready: '/health/ready',
    });
    const times = await recording.stop();
    await stop();
    const [row] = await database.query<{ left: number }>(
      'select count(*)::integer as left from games where venue_id is null',
    );
    if (row?.left !== 0) throw new Error(`${row?.left} games have no venue`);
    await database.stop();
    const longest = times.reduce((most, ms) => Math.max(most, ms), 0);
    waits.push(longest);
    seconds.push(readyMs / 1000);
    say(
      `round ${round}: ${figure(readyMs / 1000)} s, ${times.length} games meanwhile, the longest ${figure(longest)} ms`,
    );
  }
  return [
    {
      work: `Longest wait of a game while migrations ${AGAIN.map((name) => name.slice(0, 3)).join(', ')} run on a million games`,
      figures: `start to ready ${seconds.map(figure).join(', ')} s`,
      values: waits,
      unit: 'ms',
      goal: { most: 2_000 },
      postgres: bed?.postgres ?? '',
    },
  ];
};
