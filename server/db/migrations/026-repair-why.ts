import { type Kysely, sql } from 'kysely';

export const kind = 'contract';

/** Why a machine is in repair. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table machines
      add column repair_why text,
      add check (repair_why is null
        or repair_at is not null and length(repair_why) between 1 and 120)`.execute(db);
}
