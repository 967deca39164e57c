import { type Kysely, sql } from 'kysely';

export const kind = 'expand';

/** Codes also verify an account's new address (P30b). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table codes
      drop constraint codes_purpose_check,
      add constraint codes_purpose_check
        check (purpose in ('verify_email', 'reset_password', 'change_email'))`.execute(db);
}
