import { type CompiledQuery, sql } from 'kysely';
import { batched } from '../db/batch.ts';
import type { Deps } from '../deps.ts';
import type { Session, UserSession } from '../http/caller.ts';
import { selectUser, toUser } from '../players/players.ts';

/** Two small batches at a time: the process handles one while the database reads another. */
const BATCH_MAX = 25;
const CONCURRENCY = 2;

/**
 * Returns a function that reads a session; null if there is none, or it has expired. Concurrent
 * calls share a statement (“Sessions are read together” in bench/results.md).
 */
export function sessionReader(deps: Pick<Deps, 'db' | 'clock'>) {
  const query = deps.db
    .selectFrom('sessions')
    .select(['id as session_id', 'player_id', 'created_at as session_created_at'])
    .where('id', '=', ANY)
    .where('expires_at', '>', new Date(0));
  return readTogether(deps, query.compile(), () => ({}));
}

/** Like `sessionReader`, with the session's user. */
export function userSessionReader(deps: Pick<Deps, 'config' | 'db' | 'clock'>) {
  const query = selectUser(deps.db)
    .innerJoin('sessions', 'sessions.player_id', 'players.id')
    .select([
      'sessions.id as session_id',
      'sessions.player_id',
      'sessions.created_at as session_created_at',
    ])
    .where('sessions.id', '=', ANY)
    .where('sessions.expires_at', '>', new Date(0));
  return readTogether(
    deps,
    query.compile(),
    (row): Pick<UserSession, 'user'> => ({
      user: toUser(deps, row),
    }),
  );
}

const ANY = sql<string>`any(${[]}::uuid[])`;

type Row = { session_id: string; player_id: number; session_created_at: Date };

/** `statement` takes the ids and the time; `moreOf` makes a row's other fields. */
function readTogether<R extends Row, More>(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  statement: CompiledQuery<R>,
  moreOf: (row: R) => More,
) {
  type Read = Omit<Session, 'access_until'> & More;
  return batched<string, Read | null>(
    async (ids) => {
      const { rows } = await db.executeQuery<R>({ ...statement, parameters: [ids, clock.now()] });
      const sessions = new Map<string, Read>();
      for (const row of rows)
        sessions.set(row.session_id, {
          id: row.session_id,
          player_id: row.player_id,
          created_at: row.session_created_at,
          ...moreOf(row),
        });
      return ids.map((id) => sessions.get(id) ?? null);
    },
    { max: BATCH_MAX, concurrency: CONCURRENCY },
  );
}
