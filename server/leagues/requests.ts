import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { notify } from '../db/notifications.ts';
import { transact } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { conflict, notFound } from '../errors.ts';
import type { Declined } from '../mail/mail.ts';
import { requestDeclinedMessage } from '../mail/messages.ts';
import { lockPlayer, moveToTeams, takeBackLeagueMode } from '../players/players.ts';
import { isNew } from './decisions.ts';
import { lockTeam, putOnTeam } from './joining.ts';
import type { Team } from './leagues.ts';
import { lockAccount, type Reached } from './rosters.ts';

export type JoinRequest = {
  team_id: number;
  team: string;
  league_id: number;
  league: string;
  email: string;
  username: string | null;
  asked_at: Date;
};

/** The requests to join teams `t` for which `where` is true, oldest first. */
export async function listRequests(
  db: Database,
  where: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<JoinRequest[]> {
  const { rows } = await sql<JoinRequest>`
    select t.id as team_id, t.name as team, l.id as league_id, l.name as league, p.email,
      p.username, r.asked_at
    from join_requests r join players p on p.id = r.player_id
    join teams t on t.id = r.team_id join leagues l on l.id = t.league_id
    where ${where}
    order by r.asked_at, r.player_id`.execute(db);
  return rows;
}

/** Deletes the player's request for this team. Returns when the player asked, if ever. */
async function takeRequest(
  trx: Database,
  team: Team,
  { id }: { id: number },
): Promise<Date | undefined> {
  const taken = await trx
    .deleteFrom('join_requests')
    .where('player_id', '=', id)
    .where('team_id', '=', team.id)
    .returning('asked_at')
    .executeTakeFirst();
  return taken?.asked_at;
}

/** Confirms a player who joined this team by its code (LEAGUE-23). Returns whether it did. */
async function confirm(
  trx: Database,
  team: Team,
  { id }: { id: number },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update team_changes c set confirmed_at = ${now}
    where player_id = ${id} and how = 'code' and confirmed_at is null and team_id = ${team.id}
      and at = (select max(at) from team_changes where player_id = ${id})`.execute(trx);
  return numAffectedRows > 0n;
}

type Account = Awaited<ReturnType<typeof lockAccount>>;

/** The refusal names only a team that is `reached` (STAFF-02). */
function noRequest({ account, named }: Account, team: Team): Error {
  const where = account.reached ? ` ${named} is on “${account.team}”.` : '';
  return notFound(`${named} does not ask to join “${team.name}”.${where}`);
}

type Answered = {
  player_id: number;
  team: string;
  league: string;
  email: string;
  username: string | null;
};
/** `asked_at`: null if the player was on the team already and is now confirmed (LEAGUE-23). */
export type Decided = Answered & { asked_at: Date | null };

/**
 * Puts a player who asked to join on the team (LEAGUE-14), or confirms a player who joined by the
 * team's code (LEAGUE-23). new-on-team.ts mails a player who was put on the team.
 * @param who an address or account number
 * @throws Refusal 404 if the player neither asked nor joined by the code; 409 when the team is
 * full.
 */
export async function acceptRequest(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  team: Team,
  who: string | number,
  reached?: Reached,
): Promise<Decided> {
  return transact(db, async (trx) => {
    const found = await lockAccount(trx, who, reached);
    const { account } = found;
    const { id: player_id, email, username } = account;
    const answered = { player_id, team: team.name, league: team.league, email, username };
    if (await confirm(trx, team, account, clock.now())) {
      await notify(trx, { league: [team.league_id] });
      return { ...answered, asked_at: null };
    }
    const asked_at = await takeRequest(trx, team, account);
    if (asked_at === undefined) throw noRequest(found, team);
    const locked = await lockTeam(trx, team.id);
    const player = await lockPlayer(trx, account.id);
    if (locked === undefined || player === undefined) throw notFound('The team is gone.');
    if (locked.players >= config.team_max)
      throw conflict(
        `“${team.name}” is full: ${locked.players} of ${config.team_max} players. Take somebody off first.`,
      );
    await putOnTeam(trx, player, team, { at: clock.now(), how: 'accepted' });
    return { ...answered, asked_at };
  });
}

/**
 * Deletes the request and mails the player (LEAGUE-14).
 * @param who an address or account number
 * @throws Refusal 404 without a request.
 */
export async function declineRequest(
  { db, config, mail }: Pick<Deps, 'db' | 'config' | 'mail'>,
  team: Team,
  who: string | number,
  reached?: Reached,
): Promise<Decided> {
  return transact(db, async (trx) => {
    const found = await lockAccount(trx, who, reached);
    const { account } = found;
    const asked_at = await takeRequest(trx, team, account);
    if (asked_at === undefined) throw noRequest(found, team);
    await notify(trx, { profile: [account.id] });
    const { id: player_id, email: to, username } = account;
    await mail.enqueue(
      trx,
      requestDeclinedMessage(config, { to, team: team.name, league: team.league }),
      { player_id, team_id: team.id },
    );
    return { player_id, team: team.name, league: team.league, email: to, username, asked_at };
  });
}

/**
 * SQL on a row `c` of team_changes: whether it is the player's last change and a yes to a request
 * for `team`. An undone move is no yes. Its `mail_waits` is false, unless the first mail still waits.
 */
const joinedByYes = (player: RawBuilder<unknown>, team: RawBuilder<unknown>) => sql`
  c.player_id = ${player} and c.team_id = ${team} and c.how = 'accepted' and c.mail_waits is distinct from false
  and c.at = (select max(at) from team_changes where player_id = c.player_id)`;

/**
 * SQL on a row `p` of players: whether the answer to the request for `team` is still in effect.
 * Staff can undo it only then. `accepted`: whether the answer was yes.
 */
export const holdsAnswer = (accepted: RawBuilder<unknown>, team: RawBuilder<unknown>) => sql`
  case when ${accepted}
    then p.team_id is not distinct from ${team} and exists (
      select from team_changes c where ${joinedByYes(sql.ref('p.id'), team)})
    else p.team_id is null and not exists (select from join_requests where player_id = p.id) end`;

/**
 * SQL: whether the player waits for a team, or the team's last answer to the player, within a day,
 * was a no that the player has not settled since (`settleDeclined`).
 */
const canReturn = (player: number, team: Team, now: Date) => sql`(
  exists (select from join_requests where player_id = ${player})
  or (
    select decision = 'declined' and asked_at is not null and ${isNew(now)} from league_decisions
    where player_id = ${player} and team_id = ${team.id}
      and decision in ('accepted', 'declined', 'reopened')
    order by id desc limit 1))`;

/**
 * Undoes the answer to a request (OPS-17). The request waits again, with its old `asked_at`. If the
 * answer was yes, the player leaves the team, with league mode as before. An answer undone within a
 * minute is not mailed. A request that waits already does not change.
 * @param who an address or account number
 * @throws Refusal 404 for an unknown account; 409 if the player is on a team for any other reason
 * than this answer, asks to join another team, or was not declined: otherwise staff could make
 * anybody ask, and accept (P63).
 */
export async function reopenRequest(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  team: Team,
  who: string | number,
  asked_at: Date,
): Promise<Answered> {
  return transact(db, async (trx) => {
    const { account, named } = await lockAccount(trx, who);
    const { id: player_id, email, username, team_id } = account;
    if (team_id !== null) {
      const undone = await sql`
        update team_changes c set mail_waits = false
        where ${joinedByYes(sql`${player_id}`, sql`${team.id}`)} and ${team_id} = ${team.id}`.execute(
        trx,
      );
      if (undone.numAffectedRows !== 1n)
        throw conflict(`${named} is on a team and did not ask to join “${team.name}”.`);
      const at = clock.now();
      await takeBackLeagueMode(trx, [player_id], at);
      await moveToTeams(trx, [{ player_id, team_id: null }], at, null);
    }
    const { rows } = await sql<{ team_id: number }>`
      insert into join_requests (player_id, team_id, asked_at)
      select ${player_id}, ${team.id}::integer, ${asked_at}
      where ${team_id !== null} or ${canReturn(player_id, team, clock.now())}
      on conflict (player_id) do update set player_id = excluded.player_id
      returning team_id`.execute(trx);
    if (rows.length === 0) throw conflict(`No answer of “${team.name}” to ${named} can be undone.`);
    if (rows[0]?.team_id !== team.id) throw conflict(`${named} asks to join another team now.`);
    await notify(trx, { profile: [player_id], league: [team.league_id] });
    return { player_id, team: team.name, league: team.league, email, username };
  });
}

/** Whether a declined player has neither joined the team nor asked again (OPS-17). */
export async function isDeclined(db: Database, { player_id, team_id }: Declined): Promise<boolean> {
  const { rows } = await sql`
    select from players p where id = ${player_id} and team_id is distinct from ${team_id}
      and not exists (
        select from join_requests r where r.player_id = p.id and r.team_id = ${team_id})`.execute(
    db,
  );
  return rows.length > 0;
}
