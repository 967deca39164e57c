import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** The alert about many held games (MACH-15). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machine_alerts drop constraint machine_alerts_kind_check,
      add constraint machine_alerts_kind_check
        check (kind in ('silent', 'rejected', 'held', 'clock', 'key'))`.execute(db);
}
