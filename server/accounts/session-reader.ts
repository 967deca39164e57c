import { sql } from 'kysely';
import { batched } from '../db/batch.ts';
import type { Deps } from '../deps.ts';
import type { Session, UserSession } from '../http/caller.ts';
import { toUser, USER, USERS, type UserRow } from '../players/players.ts';

/** Two small batches at a time: the process handles one while the database reads another. */
const BATCH_MAX = 25;
const CONCURRENCY = 2;

/**
 * Returns a function that reads a session; null if there is none, or it has expired. Concurrent
 * calls share a statement (“Sessions are read together” in bench/results.md).
 */
export function sessionReader({ db, clock }: Pick<Deps, 'db' | 'clock'>) {
  return readTogether(
    async (ids) => {
      const { rows } = await sql<Row>`
        select ${SESSION} from sessions s where ${isOpenOf(ids, clock.now())}`.execute(db);
      return rows;
    },
    () => ({}),
  );
}

/** Like `sessionReader`, with the session's user. */
export function userSessionReader(deps: Pick<Deps, 'config' | 'db' | 'clock'>) {
  return readTogether(
    async (ids) => {
      const { rows } = await sql<Row & UserRow>`
        select ${SESSION}, ${USER} from sessions s join (${USERS}) on p.id = s.player_id
        where ${isOpenOf(ids, deps.clock.now())}`.execute(deps.db);
      return rows;
    },
    (row): Pick<UserSession, 'user'> => ({ user: toUser(deps, row) }),
  );
}

const SESSION = sql`s.id as session_id, s.player_id, s.created_at as session_created_at`;
const isOpenOf = (ids: string[], now: Date) =>
  sql<boolean>`s.id = any(${ids}::uuid[]) and s.expires_at > ${now}`;

type Row = { session_id: string; player_id: number; session_created_at: Date };

/** `rowsOf` reads the sessions with these ids; `moreOf` makes a row's other fields. */
function readTogether<R extends Row, More>(
  rowsOf: (ids: string[]) => Promise<R[]>,
  moreOf: (row: R) => More,
) {
  type Read = Omit<Session, 'access_until'> & More;
  return batched<string, Read | null>(
    async (ids) => {
      const sessions = new Map<string, Read>();
      for (const row of await rowsOf(ids))
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
