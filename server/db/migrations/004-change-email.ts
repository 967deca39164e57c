import { type Kysely, sql } from 'kysely';

/** A code may also prove the box to which an account is to move (P30b). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table codes
      drop constraint codes_purpose_check,
      add constraint codes_purpose_check
        check (purpose in ('verify_email', 'reset_password', 'change_email'))`.execute(db);
}
