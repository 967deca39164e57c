import {
  birthdateAnswer,
  birthdateBody,
  changeEmailAnswer,
  changeEmailBody,
  confirmEmailBody,
  deletedAnswer,
  emailChangedAnswer,
  playerAnswer,
  playerRef,
  playersAnswer,
  playersQuery,
  signedOutAnswer,
  signOutBody,
} from '#contract/operator.ts';
import { accountRef, playerPage, playerSearch, playersFound } from '#contract/player-pages.ts';
import { readAccount } from '../accounts/account.ts';
import { confirmEmail, proposeEmail } from '../accounts/address.ts';
import { endEverySession, endSessions } from '../accounts/sessions.ts';
import type { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { countGames } from '../games/history.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { maskEmail } from '../log.ts';
import { deletePlayer } from '../players/erase.ts';
import { findByEmail, listCodes, listEmails } from '../players/players.ts';
import { replaceBirthdate } from '../profile/profile.ts';
import { type Actor, actorOf, asLogged, requireRole } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { reachOf } from '../staff/reach.ts';
import { suggesting } from './names.ts';
import { readPlayerPage, searchPlayers } from './player-pages.ts';
import { operatorSchema, refusals } from './schema.ts';

/**
 * When an address is unknown, similar ones are sought among at most this many accounts whose
 * addresses begin with the same letter.
 */
const CANDIDATES_MAX = 2_000;

/** The player's username. For a player without one, the masked address (P65). */
const nameOf = ({ email, username }: { email: string; username: string | null }) =>
  username ?? maskEmail(email);

/**
 * The routes of the commands `player …`. They take addresses in the body, because paths are logged
 * (P42).
 */
export function playerCommands(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'mail'>,
): void {
  const { db } = deps;

  /**
   * Returns the id of the account with this address.
   * @throws Refusal 404. It suggests similar addresses to the key's holder only: staff could collect
   *   addresses that way, and the audit would have no line (P65).
   */
  const find = (email: string, actor: Actor) =>
    suggesting(
      email,
      async () => (actor.kind === 'key' ? listEmails(db, email.slice(0, 1), CANDIDATES_MAX) : []),
      async () => {
        const player = await findByEmail(db, email);
        if (player === undefined) throw notFound(`There is no account with the address ${email}.`);
        return player.id;
      },
    );

  /** The name by which the audit refers to the account with this address. */
  async function called(on: Database, email: string): Promise<string> {
    return nameOf({ email, username: (await findByEmail(on, email))?.username ?? null });
  }

  app.get(
    '/api/operator/players/',
    {
      schema: {
        ...operatorSchema('List codes of players who may play, for a simulated arcade', {
          role: 'key',
        }),
        querystring: playersQuery,
        response: { 200: playersAnswer, ...refusals },
      },
    },
    async (request) => ({ results: await listCodes(db, request.query.count) }),
  );

  // The text is in the body, because it may be an address and paths are logged (P42).
  app.post(
    '/api/operator/players/search/',
    {
      schema: {
        ...operatorSchema('Find players by name, address or code; or who played last', {
          role: 'manager',
        }),
        body: playerSearch,
        response: { 200: playersFound, ...refusals },
      },
    },
    async (request) => searchPlayers(db, request.body.text),
  );

  app.get(
    '/api/operator/players/page/',
    {
      schema: {
        ...operatorSchema('Show an account with its newest games', { role: 'manager' }),
        querystring: accountRef,
        response: { 200: playerPage, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const id = Number(request.query.account);
      return audited(deps, actor, async (trx, write) => {
        const page = await readPlayerPage({ ...deps, db: trx }, id, reachOf(actor));
        await write({ area: 'players', what: `Looked at ${nameOf(page)}` });
        return page;
      });
    },
  );

  app.post(
    '/api/operator/players/show/',
    {
      schema: {
        ...operatorSchema('Show an account', { role: 'manager' }),
        body: playerRef,
        response: { 200: playerAnswer, ...refusals },
      },
    },
    async (request) => {
      const id = await find(request.body.email, actorOf(request));
      return audited(deps, actorOf(request), async (trx, write) => {
        const account = await readAccount({ ...deps, db: trx }, id);
        await write({ area: 'players', what: `Looked at ${nameOf(account)}` });
        return account;
      });
    },
  );

  app.post(
    '/api/operator/players/sign-out/',
    {
      schema: {
        ...operatorSchema('End every session of one player, or of all', { role: 'manager' }),
        body: signOutBody,
        response: { 200: signedOutAnswer, ...refusals },
      },
    },
    async (request) => {
      const email = 'email' in request.body ? request.body.email : null;
      const actor = actorOf(request);
      if (email === null) requireRole(actor, 'owner');
      const id = email === null ? null : await find(email, actorOf(request));
      const sessions_ended = await audited(deps, actor, async (trx, write) => {
        const ended = id === null ? await endEverySession(trx) : await endSessions(trx, id);
        await write({
          area: 'players',
          what:
            email === null ? 'Signed out all players' : `Signed out ${await called(trx, email)}`,
          before: { sessions: ended },
          after: { sessions: 0 },
        });
        return ended;
      });
      logSecurity(request, 'sessions_ended', {
        ...asLogged(actorOf(request)),
        ...(id === null ? { everybody: true } : { player: id }),
        ended: sessions_ended,
      });
      return { email, sessions_ended };
    },
  );

  app.post(
    '/api/operator/players/change-email/',
    {
      schema: {
        ...operatorSchema('Mail a code to the new address of an account', { role: 'manager' }),
        body: changeEmailBody,
        response: { 200: changeEmailAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email, new_email } = request.body;
      const id = await find(email, actorOf(request));
      const until = await audited(deps, actorOf(request), async (trx, write) => {
        const valid = await proposeEmail({ ...deps, db: trx }, { id, email }, new_email);
        await write({
          area: 'players',
          what: `Mailed a code for a new address of ${await called(trx, email)}`,
          after: { address: maskEmail(new_email) },
        });
        return valid;
      });
      return { email, new_email, valid_until: until.toISOString() };
    },
  );

  app.post(
    '/api/operator/players/confirm-email/',
    {
      schema: {
        ...operatorSchema('Change the address of an account by its code', { role: 'manager' }),
        body: confirmEmailBody,
        response: { 200: emailChangedAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email, new_email, code } = request.body;
      const id = await find(email, actorOf(request));
      const actor = actorOf(request);
      const who = await called(db, email);
      const changed = await confirmEmail(deps, { id, email }, new_email, code, (trx) =>
        audited({ ...deps, db: trx }, actor, (_trx, write) =>
          write({
            area: 'players',
            what: `Changed the address of ${who}`,
            before: { address: maskEmail(email) },
            after: { address: maskEmail(new_email) },
          }),
        ),
      );
      logSecurity(request, 'email_changed', {
        ...asLogged(actorOf(request)),
        player: id,
        email: new_email,
      });
      return { email: new_email, ...changed };
    },
  );

  app.post(
    '/api/operator/players/birthdate/',
    {
      schema: {
        ...operatorSchema('Correct a birth date', { role: 'manager' }),
        body: birthdateBody,
        response: { 200: birthdateAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email, date_of_birth } = request.body;
      const id = await find(email, actorOf(request));
      await audited(deps, actorOf(request), async (trx, write) => {
        await replaceBirthdate({ ...deps, db: trx }, id, date_of_birth);
        // The audit never contains birth dates (P65).
        await write({
          area: 'players',
          what: `Corrected the birth date of ${await called(trx, email)}`,
        });
      });
      logSecurity(request, 'birthdate_changed', { ...asLogged(actorOf(request)), player: id });
      return { email, date_of_birth };
    },
  );

  app.post(
    '/api/operator/players/delete/',
    {
      schema: {
        ...operatorSchema('Delete an account permanently', { role: 'manager' }),
        body: playerRef,
        response: { 200: deletedAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email } = request.body;
      const id = await find(email, actorOf(request));
      const games_kept = await audited(deps, actorOf(request), async (trx, write) => {
        const who = await called(trx, email);
        await deletePlayer(trx, id, deps.clock.now());
        const kept = await countGames(trx, id);
        await write({ area: 'players', what: `Deleted ${who}`, after: { 'games kept': kept } });
        return kept;
      });
      logSecurity(request, 'account_deleted', { ...asLogged(actorOf(request)), player: id });
      return { email, games_kept };
    },
  );
}
