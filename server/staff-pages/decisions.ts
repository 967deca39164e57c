import { type RawBuilder, sql } from 'kysely';
import { DECISIONS_HOURS, DECISIONS_MAX } from '#contract/rules/inbox.ts';
import type { Decision, Decisions } from '#contract/wire/inbox.ts';
import type { Deps } from '../deps.ts';

type Row = {
  id: string;
  at: Date;
  by: string;
  decision: Decision;
  game: string;
  score: number;
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
    select d.id::text, d.at, d.who as by, d.decision, g.seq::text as game, g.score,
      m.name as machine, p.id::text as player_id, p.username
    from game_decisions d
    join games g on g.machine_id = d.machine_id and g.id = d.game_id
    join machines m on m.id = g.machine_id
    left join players p on p.id = g.player_id
    where d.at > ${since} and ${reached}
    order by d.id desc limit ${DECISIONS_MAX}`.execute(db);
  return rows.map(({ at, player_id, username, ...row }) => ({
    ...row,
    at: at.toISOString(),
    player: player_id === null ? null : { id: player_id, username },
  }));
}
