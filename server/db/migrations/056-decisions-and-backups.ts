import { type Kysely, type RawBuilder, sql } from 'kysely';

export const kind = 'expand';

/** People name a game by its number. */
export const indexes = { games_seq: 'unique on games (seq)' };

/** Stores as rows what version 0.2 reads from the audit. `from` has the audit's lines. */
const STORE = (from: RawBuilder<unknown>) => [
  sql`insert into game_decisions (machine_id, game_id, at, staff_id, who, decision)
    select g.machine_id, g.id, a.at, a.staff_id, a.who,
      case when a.after ->> 'report' in ('void', 'stands') then a.after ->> 'report'
        when a.after ->> 'report' = 'open' then 'reopen'
        when a.after ->> 'state' = 'held' then 'return'
        when a.before ->> 'state' = 'held'
          then case a.after ->> 'state' when 'counted' then 'release' else 'discard' end
        when a.after ->> 'state' = 'counted' then 'restore' else 'void' end
    from ${from} a cross join lateral (
      -- Lines from before 0.2.0 have the machine's name, not its id.
      select g.machine_id, g.id from machines m join games g on g.machine_id = m.id
        and g.id = case when a.after ->> 'game' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          then (a.after ->> 'game')::uuid end
      where (a.after ->> 'machine_id')::integer = m.id
        or a.after ->> 'machine_id' is null and g.player_id = a.player_id
      order by m.name = a.after ->> 'machine' desc, m.id limit 1
    ) g
    where a.area = 'games' order by a.id`,
  sql`insert into backups (at, who, bytes)
    select a.at, a.who, (a.after ->> 'bytes')::bigint from ${from} a
    where a.area = 'system' and a.what = 'Backup made' on conflict do nothing`,
];

/** Decisions about games, backups that were made, and when staff joined. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table game_decisions (
      id bigint generated always as identity primary key,
      machine_id integer not null,
      game_id uuid not null,
      at timestamptz not null,
      -- Null: the operator key.
      staff_id bigint,
      who text not null,
      decision text not null
        check (decision in
          ('release', 'discard', 'return', 'void', 'restore', 'stands', 'reopen')),
      foreign key (machine_id, game_id) references games
    )`.execute(db);
  await sql`create index game_decisions_by_game on game_decisions (machine_id, game_id, id)`.execute(
    db,
  );
  await sql`create index game_decisions_by_time on game_decisions (at)`.execute(db);
  await sql`
    create table backups (
      at timestamptz primary key,
      who text not null,
      bytes bigint check (bytes >= 0)
    )`.execute(db);
  await sql`alter table staff add column joined_at timestamptz`.execute(db);
  for (const statement of STORE(sql`audit`)) await statement.execute(db);
  await sql`update staff set joined_at = joined.at
    from (select staff_id, min(at) as at from audit group by 1) joined
    where joined.staff_id = staff.id`.execute(db);
  // Version 0.2 writes only the audit. In this version's lines, a game is a number, and a backup
  // has another sentence.
  const [decision, backup] = STORE(sql`(select new.*)`);
  await sql`
    create function audit_facts() returns trigger language plpgsql as $$
    begin
      if current_setting('backboard.replacing', true) = 'yes' then return null; end if;
      ${decision};
      ${backup};
      return null;
    end $$`.execute(db);
  await sql`
    create trigger audit_facts after insert on audit
      for each row when (new.area in ('games', 'system')) execute function audit_facts()`.execute(
    db,
  );
}
