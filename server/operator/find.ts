import { type RawBuilder, sql } from 'kysely';
import { CONTESTS, type Contest } from '../contests/contests.ts';
import { CUPS, type Cup } from '../cups/cups.ts';
import type { Database } from '../db/database.ts';
import { lookUp, type Noun, namesOf } from '../db/reference.ts';
import { badField, forbidden, notFound, Refusal } from '../errors.ts';
import { findGame, type GameState } from '../games/corrections.ts';
import { type FoundLeague, LEAGUES, TEAMS, type Team } from '../leagues/leagues.ts';
import { type FoundSeason, SEASONS } from '../leagues/seasons.ts';
import { maskEmail } from '../log.ts';
import { MACHINES, type Machine } from '../machines/machines.ts';
import { findPlayers, listEmails, NO_ACCOUNT } from '../players/players.ts';
import { SCREENS, type Screen } from '../screens/screens.ts';
import type { Actor } from '../staff/actor.ts';
import { type Condition, isLimited, needsRole, type Policy } from '../staff/policy.ts';
import { type FoundStaff, STAFF } from '../staff/staff.ts';
import { VENUES, type Venue } from '../venues/venues.ts';
import { suggesting } from './names.ts';

/*
 * Each function finds what a caller names and judges in the same query whether the caller reaches
 * it: 404 without such a row, with similar names within reach (OPS-03); 403 out of reach (P63).
 */

const otherVenue = () => forbidden('This belongs to a venue that is not yours. Ask an owner.');
/**
 * An unknown number gets this refusal too, so that staff cannot count the games of other venues
 * (STAFF-02).
 */
const otherGame = ({ game }: { game: string }) =>
  forbidden(`None of your venues and leagues has a game ${game}. Ask an owner.`);
const otherLeague = () => forbidden('This league is not yours. Ask an owner.');
const otherCup = () =>
  forbidden('This cup is at no venue and in no league of yours. Ask an owner.');
const otherPlayer = () =>
  forbidden(
    'This player has played at none of your venues and is on none of your teams. Ask an owner.',
  );

/** For suggestions, at most this many addresses with the same first letter are compared. */
const CANDIDATES_MAX = 2_000;

/** `name` is for the audit; `shown` is the address as answers have it. */
export type Account = { id: number; email: string; name: string; shown: string };

type ByName<Row> = (ref: string) => Promise<Row>;
export type Finder = {
  venue: ByName<Venue>;
  machine: ByName<Machine>;
  screen: ByName<Screen>;
  league: ByName<FoundLeague>;
  team: ByName<Team>;
  season: ByName<FoundSeason>;
  contest: ByName<Contest>;
  cup: ByName<Cup>;
  staff: ByName<FoundStaff>;
  game: (ref: { game: string }) => Promise<GameState>;
  player: (ref: { email?: string | undefined; account?: string | undefined }) => Promise<Account>;
  /** Finds several players, by username and account number. `also`: reaches more players. */
  players: (
    ref: Record<'usernames' | 'accounts', readonly string[]>,
    also?: Condition,
  ) => Promise<{ id: number; email: string }[]>;
};

/**
 * `lock`: locks machines, venues, screens and staff. Leagues and teams are locked later, after
 * players.
 */
export function finder(db: Database, actor: Actor, policy: Policy, lock: boolean): Finder {
  const by =
    <Row extends object>(
      noun: Noun<Row>,
      reached: RawBuilder<boolean>,
      refusal: () => Error,
    ): ByName<Row> =>
    async (ref) => {
      const names = () => namesOf(db, noun, reached);
      const found = await suggesting(ref, names, () => lookUp(db, noun, ref, { lock, reached }));
      if (!found.reached) throw refusal();
      return found.row;
    };
  return {
    venue: by(VENUES, policy.venue(sql.ref('v.id')), otherVenue),
    machine: by(MACHINES, policy.venue(sql.ref('m.venue_id')), otherVenue),
    screen: by(SCREENS, policy.screen(sql.ref('s.venue_id')), otherVenue),
    league: by(LEAGUES, policy.league(sql.ref('l.id')), otherLeague),
    team: by(TEAMS, policy.league(sql.ref('t.league_id')), otherLeague),
    season: by(SEASONS, policy.league(sql.ref('s.league_id')), otherLeague),
    contest: by(CONTESTS, policy.venue(sql.ref('c.venue_id')), otherVenue),
    cup: by(
      CUPS,
      sql<boolean>`(${policy.venue(sql.ref('c.venue_id'))} or ${policy.league(sql.ref('c.league_id'))})`,
      otherCup,
    ),
    staff: by(STAFF, policy.staff(sql.ref('p.id')), () => needsRole('owner')),
    game: async (ref) => {
      const { reached, ...game } = await findGame(db, Number(ref.game), policy.game).catch(
        (error: unknown) => {
          const isUnknown = error instanceof Refusal && error.status === 404;
          throw isUnknown && isLimited(actor) ? otherGame(ref) : error;
        },
      );
      if (!reached) throw otherGame(ref);
      return game;
    },
    player: (ref) => findPlayer(db, actor, policy, ref),
    players: (ref, also) => findNamedPlayers(db, policy, ref, also),
  };
}

/**
 * Only the operator key's 404 suggests addresses, because staff could otherwise collect them
 * without an audit line (P65).
 */
async function findPlayer(
  db: Database,
  actor: Actor,
  policy: Policy,
  { email, account }: { email?: string | undefined; account?: string | undefined },
): Promise<Account> {
  const reached = policy.player(sql.ref('players.id'));
  const emails = async () =>
    email === undefined || actor.kind === 'staff'
      ? []
      : listEmails(db, email.slice(0, 1), CANDIDATES_MAX);
  const player = await suggesting(email ?? '', emails, async () => {
    const by = email === undefined ? { ids: [Number(account)] } : { emails: [email] };
    const [found] = await findPlayers(db, by, reached);
    if (found) return found;
    throw notFound(
      email === undefined ? NO_ACCOUNT : `There is no account with the address ${email}.`,
    );
  });
  if (!player.reached) throw otherPlayer();
  return {
    id: player.id,
    email: player.email,
    name: player.username ?? maskEmail(player.email),
    shown: email ?? maskEmail(player.email),
  };
}

/**
 * Anybody can look up usernames, so staff must give the addresses of players whom they do not reach
 * (STAFF-02). No refusal has an address (P65).
 * @throws Refusal 400 on `usernames` for a name that nobody has, and on `accounts` for an account
 * that is gone or has no username; 403 if a player is out of reach (P63).
 */
async function findNamedPlayers(
  db: Database,
  policy: Policy,
  { usernames, accounts }: Record<'usernames' | 'accounts', readonly string[]>,
  also?: Condition,
) {
  const id = sql.ref('players.id');
  const own = policy.player(id);
  const reached = also ? sql<boolean>`(${own} or ${also(id)})` : own;
  const found = await findPlayers(db, { ids: accounts.map(Number), usernames }, reached);
  const byUsername = usernames.map((username) => {
    const lower = username.toLowerCase();
    const player = found.find((one) => one.username?.toLowerCase() === lower);
    if (player === undefined) throw badField('usernames', `There is no player “${username}”.`);
    return player;
  });
  const byAccount = accounts.map((account) => {
    const player = found.find(({ id }) => id === Number(account));
    if (player === undefined) throw badField('accounts', NO_ACCOUNT);
    if (player.username === null)
      throw badField('accounts', 'This player has not finished signing up.');
    return player;
  });
  const named = [...byUsername, ...byAccount];
  const far = named.filter((player) => !player.reached).map(({ username }) => username ?? '');
  const [first] = far.sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  if (first !== undefined)
    throw forbidden(
      `${first} has played at none of your venues: use the address, or send the player the code of the team.`,
    );
  return named;
}
