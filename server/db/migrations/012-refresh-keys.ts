import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';

export const kind = 'contract';

/**
 * The key that seals refresh tokens (P17), independent of SECRET_KEY. Existing tokens lack its
 * seal: `unsealed_until` is when the last of them expires (P2), plus a day, because processes of
 * the earlier version still issue some.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table refresh_keys (
      key bytea primary key check (length(key) = 32),
      created_at timestamptz not null,
      unsealed_until timestamptz
    )`.execute(db);
  await sql`
    insert into refresh_keys (key, created_at, unsealed_until) values (
      ${randomBytes(32)}, now(),
      case when exists (select from sessions) then now() + interval '31 days' end
    )`.execute(db);
}
