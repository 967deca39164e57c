import { type InferResult, sql } from 'kysely';
import { batched } from '../db/batch.ts';
import type { Deps } from '../deps.ts';
import type { Session } from '../http/caller.ts';
import { selectUser, toUser } from '../players/players.ts';

/**
 * With batches this small, the process handles the rows of one batch while another waits for the
 * database.
 */
const BATCH_MAX = 25;
const CONCURRENCY = 2;

/**
 * Returns a function that reads a session with its player; null if it does not exist or has
 * expired. Concurrent calls share a statement that is compiled once: 2.7 times as many profile
 * reads a second (“Sessions are read together” in bench/results.md).
 */
export function sessionReader(deps: Pick<Deps, 'config' | 'db' | 'clock'>) {
  const { db, clock } = deps;
  const query = selectUser(db)
    .innerJoin('sessions', 'sessions.player_id', 'players.id')
    .select([
      'sessions.id as session_id',
      'sessions.player_id',
      'sessions.created_at as session_created_at',
    ])
    .where('sessions.id', '=', sql<string>`any(${[]}::uuid[])`)
    .where('sessions.expires_at', '>', new Date(0));
  const statement = query.compile();
  type Read = Omit<Session, 'access_until'>;
  return batched<string, Read | null>(
    async (ids) => {
      const { rows } = await db.executeQuery<InferResult<typeof query>[number]>({
        ...statement,
        parameters: [ids, clock.now()],
      });
      const sessions = new Map<string, Read>();
      for (const row of rows)
        sessions.set(row.session_id, {
          id: row.session_id,
          player_id: row.player_id,
          created_at: row.session_created_at,
          user: toUser(deps, row),
        });
      return ids.map((id) => sessions.get(id) ?? null);
    },
    { max: BATCH_MAX, concurrency: CONCURRENCY },
  );
}
