import { type RawBuilder, sql } from 'kysely';
import { csvLine } from '#contract/rules/csv.ts';
import { AUDIT_DAYS, type AuditArea, COMMAND_LINE } from '#contract/rules/staff.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import { lockPatiently } from '../db/locks.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { unauthorized } from '../errors.ts';
import { maskEmail } from '../log.ts';
import type { Actor } from './actor.ts';
import { isOpen } from './sessions.ts';

/** Values before or after a change, such as `{ score: 377 }`. */
export type Facts = Record<string, string | number | boolean | null>;

export type Entry = {
  area: AuditArea;
  /** Such as 'New key for Hoop 6'. */
  what: string;
  venue_id?: number | null;
  player_id?: number;
  before?: Facts;
  after?: Facts;
};

// Begins where a word begins, so that each word is read once (P37a).
const EMAIL = /(?<![^\s@<>,;“”"])[^\s@<>,;“”"]+@[^\s@<>,;“”"]+\.[^\s@<>,;“”"]+/g;
const KEY = /\bbb[a-z]_[\w-]+/g;

/** Masks addresses and truncates keys (P65). */
function clean(text: string): string {
  return text
    .replace(EMAIL, (email) => maskEmail(email))
    .replace(KEY, (key) => `${key.slice(0, 4)}…`);
}
const cleanFacts = (facts: Facts = {}) =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(facts).map(([key, value]) => [
        key,
        typeof value === 'string' ? clean(value) : value,
      ]),
    ),
  );

/** The name of the caller in audit lines and decisions. */
export const authorOf = (actor: Actor) =>
  actor.kind === 'key'
    ? { staff_id: null, who: COMMAND_LINE }
    : { staff_id: actor.id, who: actor.name };

/** Writes an audit line, in the transaction of the change (P65, STAFF-06). */
export async function audit(
  { clock }: { clock: Clock },
  trx: Database,
  actor: Actor,
  { area, what, venue_id = null, player_id, before, after }: Entry,
): Promise<void> {
  const { staff_id, who } = authorOf(actor);
  await sql`
    insert into audit (at, staff_id, who, area, what, venue_id, venue, before, after,
      player_id)
    values (${clock.now()}, ${staff_id}, ${who}, ${area}, ${clean(what)}, ${venue_id},
      (select name from venues where id = ${venue_id}),
      ${cleanFacts(before)}::jsonb, ${cleanFacts(after)}::jsonb, ${player_id ?? null})`.execute(
    trx,
  );
}

/**
 * Runs a change in a transaction. First checks that the session is still open, because the body may
 * have arrived slowly (P62). `ofStaff`: a change of rows of staff. Such changes run one after the
 * other: each locks the caller's row, so two people who change each other would deadlock.
 * @throws Refusal 401 when the session has ended; any error of `work`.
 */
export function audited<T>(
  deps: Pick<Deps, 'db' | 'clock'>,
  actor: Actor,
  { ofStaff }: { ofStaff?: boolean | undefined },
  work: (trx: Database, write: (entry: Entry) => Promise<void>) => Promise<T>,
): Promise<T> {
  return transact(deps.db, async (trx) => {
    if (ofStaff) await lockPatiently(trx, 'staff');
    if (actor.kind === 'staff' && !(await isOpen({ db: trx, clock: deps.clock }, actor)))
      throw unauthorized();
    return work(trx, (entry) => audit(deps, trx, actor, entry));
  });
}

/** Lines from the day `from` through the day `to`, in UTC. */
export type AuditFilter = {
  who?: string | undefined;
  area?: AuditArea | undefined;
  venue_id?: number | undefined;
  player_id?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
};

export type AuditLine = {
  id: number;
  at: Date;
  who: string;
  area: AuditArea;
  what: string;
  venue: string | null;
  before: Facts;
  after: Facts;
};

function matching({ who, area, venue_id, player_id, from, to }: AuditFilter): RawBuilder<unknown> {
  const conditions = [
    sql`true`,
    ...(who === undefined ? [] : [sql`who = ${who}`]),
    ...(area === undefined ? [] : [sql`area = ${area}`]),
    ...(venue_id === undefined ? [] : [sql`venue_id = ${venue_id}`]),
    ...(player_id === undefined ? [] : [sql`player_id = ${player_id}`]),
    ...(from === undefined ? [] : [sql`at >= ${`${from}T00:00:00Z`}::timestamptz`]),
    ...(to === undefined ? [] : [sql`at < ${`${to}T00:00:00Z`}::timestamptz + interval '1 day'`]),
  ];
  return sql.join(conditions, sql` and `);
}

/** At most `limit` lines, older than the line `before`. */
type Page = { before?: number | undefined; limit: number };

async function readLines(
  db: Database,
  filter: AuditFilter,
  { before, limit }: Page,
): Promise<AuditLine[]> {
  const older = before === undefined ? sql`` : sql`and id < ${before}`;
  const { rows } = await sql<AuditLine>`
    select id, at, who, area, what, venue, before, after from audit
    where ${matching(filter)} ${older} order by id desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * A page of the matching lines, newest first. `total` counts all matching lines; `people` names
 * everybody in the audit.
 */
export async function listAudit(
  db: Database,
  filter: AuditFilter,
  page: Page,
): Promise<{ lines: AuditLine[]; total: number; people: string[] }> {
  const lines = await readLines(db, filter, page);
  const { rows: counts } = await sql<{ total: number }>`
    select count(*) as total from audit where ${matching(filter)}`.execute(db);
  const { rows: people } = await sql<{ who: string }>`
    select distinct who from audit order by who`.execute(db);
  return { lines, total: counts[0]?.total ?? 0, people: people.map(({ who }) => who) };
}

/**
 * The newest line about a player, or undefined. Skips lines about teams and games whose venue is
 * not `reached` (STAFF-02).
 */
export async function lastAbout(
  db: Database,
  playerId: number,
  reached: RawBuilder<boolean>,
): Promise<AuditLine | undefined> {
  const { rows } = await sql<AuditLine>`
    select id, at, who, area, what, venue, before, after from audit
    where player_id = ${playerId} and (area = 'players' or ${reached}) order by id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

const EXPORT_STEP = 1_000;

const inWords = (facts: Facts) =>
  Object.entries(facts)
    .map(([key, value]) => `${key}: ${value ?? 'none'}`)
    .join('; ');

/**
 * The matching lines as CSV in pieces, newest first. The first lines are read before this returns,
 * so that a failed query still gets an error response.
 */
export async function exportAudit(
  db: Database,
  filter: AuditFilter,
): Promise<AsyncGenerator<string>> {
  const first = await readLines(db, filter, { limit: EXPORT_STEP });
  return inPieces(db, filter, first);
}

async function* inPieces(
  db: Database,
  filter: AuditFilter,
  first: AuditLine[],
): AsyncGenerator<string> {
  yield csvLine(['when', 'who', 'area', 'what', 'venue', 'before', 'after']);
  for (let lines = first; ; ) {
    for (const { at, who, area, what, venue, before: was, after } of lines)
      yield csvLine([at.toISOString(), who, area, what, venue, inWords(was), inWords(after)]);
    if (lines.length < EXPORT_STEP) return;
    lines = await readLines(db, filter, { before: lines.at(-1)?.id, limit: EXPORT_STEP });
  }
}

/** Deletes lines older than 400 days (P65). Returns how many. */
export async function ageOut(db: Database): Promise<number> {
  // Use the database's clock, like the trigger that protects the lines.
  const { numAffectedRows = 0n } = await sql`
    delete from audit where at < now() - make_interval(days => ${AUDIT_DAYS})`.execute(db);
  return Number(numAffectedRows);
}
