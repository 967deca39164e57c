import { sql } from 'kysely';
import { NEW_ON_TEAM_DAYS } from '#contract/rules/leagues.ts';
import { newOnTeamWords } from '#contract/rules/new-on-team.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { newOnTeamMessage } from '../mail/messages.ts';
import { readLeagueStats } from './this-week.ts';

/** Staff may undo a change for this long before the player gets a mail about it. */
const WAITS_MS = 60_000;
const MAILS_MOST = 500;

type Due = {
  player_id: number;
  how: 'accepted' | 'staff';
  email: string;
  on: boolean;
  team: string;
  league: string;
};

/**
 * Mails each player whom staff put on a team, a minute later and only if the player is still there.
 * A player gets at most one such mail about a team in seven days (HAND-47). Returns how many mails
 * it wrote.
 */
export async function mailNewOnTeams(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'mail'>,
): Promise<number> {
  const { clock, config, mail } = deps;
  const now = clock.now();
  return transact(deps.db, async (trx) => {
    const { rows } = await sql<Due>`
      with due as (
        select player_id, at, team_id, how from team_changes
        where mail_waits and at <= ${new Date(now.getTime() - WAITS_MS)}
        order by at limit ${MAILS_MOST} for update skip locked
      ), done as (
        update team_changes c set mail_waits = null from due d
        where c.player_id = d.player_id and c.at = d.at
      )
      select d.player_id, d.how, p.email, p.league_mode_enabled as "on", t.name as team,
        l.name as league
      from due d join players p on p.id = d.player_id and p.team_id = d.team_id
      join teams t on t.id = d.team_id join leagues l on l.id = t.league_id
      where not exists (
        select from team_changes c where c.player_id = d.player_id and c.at <> d.at and (
          c.at > d.at or c.team_id = d.team_id and c.mail_waits is distinct from false
            and c.at > d.at - make_interval(days => ${NEW_ON_TEAM_DAYS}::integer)))
      order by d.at, d.player_id`.execute(trx);
    const stats = await readLeagueStats(
      { ...deps, db: trx },
      rows.map(({ player_id }) => player_id),
    );
    for (const [at, { player_id, how, email, on, team, league }] of rows.entries()) {
      const own = stats[at];
      if (!own) continue;
      const words = newOnTeamWords({ how, on, stats: own });
      await mail.enqueue(trx, {
        ...newOnTeamMessage(config, { to: email, team, league, words }),
        player_id,
      });
    }
    return rows.length;
  });
}
