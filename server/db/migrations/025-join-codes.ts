import { type Kysely, sql } from 'kysely';

export const kind = 'contract';

/** Each new team gets its join code (LEAGUE-13), so that no read writes (P36). */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A uuid's first six bytes are random.
  await sql`
    create function new_join_code() returns text language plpgsql volatile as $$
    declare
      letters constant text := 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
      bytes bytea;
      code text;
    begin
      loop
        bytes := uuid_send(gen_random_uuid());
        select string_agg(substr(letters, 1 + get_byte(bytes, at) % 31, 1), '') into code
          from generate_series(0, 5) at;
        exit when not exists (select from teams where join_code = code);
      end loop;
      return code;
    end $$`.execute(db);
  await sql`alter table teams alter join_code set default new_join_code()`.execute(db);
  await sql`update teams set join_code = default where join_code is null`.execute(db);
  await sql`alter table teams alter join_code set not null`.execute(db);
}
