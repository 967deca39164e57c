import { type RawBuilder, sql } from 'kysely';
import { DECISIONS_HOURS, DECISIONS_MAX } from '#contract/rules/inbox.ts';
import type { Decisions } from '#contract/wire/inbox.ts';
import type { Deps } from '../deps.ts';
import { decisionOf, type Facts, machineOf } from '../staff/audit.ts';

type Row = {
  id: string;
  at: Date;
  who: string;
  before: Facts;
  after: Facts;
  game: string;
  score: number;
  machine_id: string;
  machine: string;
  player_id: string | null;
  username: string | null;
};

/**
 * The last 24 hours' decisions about games that are `reached`, newest first, at most DECISIONS_MAX
 * (GAME-13). Each has its game as it is now.
 */
export async function readDecisions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  reached: RawBuilder<boolean>,
): Promise<Decisions['results']> {
  const since = new Date(clock.now().getTime() - DECISIONS_HOURS * 3_600_000);
  const { rows } = await sql<Row>`
    select a.id::text, a.at, a.who, a.before, a.after, g.id as game, g.score,
      m.id::text as machine_id, m.name as machine, p.id::text as player_id, p.username
    from audit a
    join machines m on m.id = ${machineOf}
    join games g on g.machine_id = m.id and g.id = (a.after ->> 'game')::uuid
    left join players p on p.id = g.player_id
    where a.area = 'games' and a.after ->> 'game' is not null and a.at > ${since}
      and ${reached}
    order by a.id desc limit ${DECISIONS_MAX}`.execute(db);
  return rows.map(({ at, who, before, after, player_id, username, ...row }) => ({
    ...row,
    decision: decisionOf(before, after),
    by: who,
    at: at.toISOString(),
    player: player_id === null ? null : { id: player_id, username },
  }));
}
