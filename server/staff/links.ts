import { sql } from 'kysely';
import { LINK_HOURS, type Role } from '#contract/rules/staff.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { hashOf } from '../keys.ts';
import { makeSecret } from './sessions.ts';

const LINK_LIFE_MS = LINK_HOURS * 3_600_000;
/** Every bad link gets this sentence (P61). */
const LINK_USED = 'This link is used, or older than a day. Ask an owner for a new link.';

/** Makes a person's one-time link, which replaces an earlier one (P61). */
export async function makeLink(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  trx: Database,
  staffId: number,
  madeBy: string,
): Promise<{ url: string; valid_until: Date }> {
  const now = clock.now();
  const { secret, hash } = makeSecret();
  const valid_until = new Date(now.getTime() + LINK_LIFE_MS);
  const link = { hash, made_by: madeBy, created_at: now, expires_at: valid_until };
  await trx
    .insertInto('staff_links')
    .values({ staff_id: staffId, ...link })
    .onConflict((clash) => clash.column('staff_id').doUpdateSet(link))
    .execute();
  // Browsers send nothing after the #, so no server logs the secret (P61).
  return { url: `${config.public_url}/console/join#${secret}`, valid_until };
}

export async function withdrawLink(trx: Database, staffId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('staff_links')
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export type Invited = {
  id: number;
  name: string;
  role: Role;
  handle: Buffer;
  made_by: string;
  expires_at: Date;
};

/**
 * The person whom a link invites. With `use`, the link cannot be used again (P61).
 * @throws Refusal 404 for a used, replaced, withdrawn, expired or wrong link.
 */
export async function readLink(
  { clock }: Pick<Deps, 'clock'>,
  db: Database,
  token: string,
  { use }: { use: boolean },
): Promise<Invited> {
  const hash = hashOf(token);
  const { rows } = await sql<Invited>`
    with link as (
      ${use ? sql`delete from staff_links where hash = ${hash} returning *` : sql`select * from staff_links where hash = ${hash}`}
    )
    select p.id, p.name, p.role, p.handle, link.made_by, link.expires_at
    from link join staff p on p.id = link.staff_id
    where p.removed_at is null and link.expires_at > ${clock.now()}`.execute(db);
  const [invited] = rows;
  if (invited === undefined) throw notFound(LINK_USED);
  return invited;
}
