import type { z } from 'zod';
import {
  birthdateAnswer,
  birthdateBody,
  changeEmailAnswer,
  changeEmailBody,
  confirmEmailBody,
  deletedAnswer,
  emailChangedAnswer,
  playerAnswer,
  playerPage,
  playerPageQuery,
  playerRef,
  playerSearch,
  playersAnswer,
  playersFound,
  playersQuery,
  signedOutAnswer,
  signOutBody,
} from '#contract/wire/players.ts';
import { confirmEmail, proposeEmail } from '../accounts/address.ts';
import { endEverySession, endSessions } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { badField, notFound } from '../errors.ts';
import { countGames } from '../games/history.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { maskEmail } from '../log.ts';
import { deletePlayer } from '../players/erase.ts';
import { findByEmail, findPlayers, listCodes, listEmails, NO_ACCOUNT } from '../players/players.ts';
import { replaceBirthdate } from '../profile/profile.ts';
import { type Actor, actorOf, asLogged, requireRole } from '../staff/actor.ts';
import { audited } from '../staff/audit.ts';
import { requireEverything, requirePlayer } from '../staff/reach.ts';
import { readAccount } from '../staff-pages/account.ts';
import { readPlayerPage } from '../staff-pages/player.ts';
import { searchPlayers } from '../staff-pages/search.ts';
import { suggesting } from './names.ts';
import { operatorSchema, refusals } from './schema.ts';

/** For suggestions, at most this many addresses with the same first letter are compared. */
const CANDIDATES_MAX = 2_000;

const nameOf = ({ email, username }: { email: string; username: string | null }) =>
  username ?? maskEmail(email);

/** `name` is for the audit; `shown` is the address as answers show it. */
type Account = { id: number; email: string; name: string; shown: string };

/** The commands `player …`. Addresses are in the body, because paths are logged (P42). */
export function playerCommands(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock' | 'log' | 'mail'>,
): void {
  const { db } = deps;

  /**
   * The account that a body names. Only the operator key's 404 suggests addresses, because staff
   * could otherwise collect them without an audit line (P65).
   * @throws Refusal 404 when there is none.
   */
  async function find(body: z.infer<typeof playerRef>, actor: Actor): Promise<Account> {
    const { email, account } = body;
    if (email === undefined) {
      const [player] = await findPlayers(db, { ids: [Number(account)] });
      if (player === undefined) throw notFound(NO_ACCOUNT);
      return { ...player, name: nameOf(player), shown: maskEmail(player.email) };
    }
    return suggesting(
      email,
      async () => (actor.kind === 'key' ? listEmails(db, email.slice(0, 1), CANDIDATES_MAX) : []),
      async () => {
        const player = await findByEmail(db, email);
        if (player === undefined) throw notFound(`There is no account with the address ${email}.`);
        return { id: player.id, email: player.email, name: nameOf(player), shown: email };
      },
    );
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
    async (request) => searchPlayers(db, request.body.text, actorOf(request)),
  );

  app.get(
    '/api/operator/players/page/',
    {
      schema: {
        ...operatorSchema('Show an account with its newest games', { role: 'manager' }),
        querystring: playerPageQuery,
        response: { 200: playerPage, ...refusals },
      },
    },
    async (request) => {
      const { account, games } = request.query;
      return readPlayerPage(deps, Number(account), { games, actor: actorOf(request) });
    },
  );

  app.post(
    '/api/operator/players/show/',
    {
      schema: {
        ...operatorSchema('Show an account with its address', { role: 'manager' }),
        body: playerRef,
        response: { 200: playerAnswer, ...refusals },
      },
    },
    async (request) => {
      const actor = actorOf(request);
      const { id, name } = await find(request.body, actor);
      return audited(deps, actor, async (trx, write) => {
        await requirePlayer(trx, actor, id);
        const account = await readAccount({ ...deps, db: trx }, id);
        await write({
          area: 'players',
          what: `Looked at ${name}`,
          player_id: id,
          after: { address: 'shown' },
        });
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
      const { body } = request;
      const actor = actorOf(request);
      if ('all' in body) requireRole(actor, 'owner');
      const player = 'all' in body ? null : await find(body, actor);
      const sessions_ended = await audited(deps, actor, async (trx, write) => {
        if (player) await requirePlayer(trx, actor, player.id);
        const ended = player ? await endSessions(trx, player.id) : await endEverySession(trx);
        await write({
          area: 'players',
          what: player ? `Signed out ${player.name}` : 'Signed out all players',
          ...(player ? { player_id: player.id } : {}),
          before: { sessions: ended },
          after: { sessions: 0 },
        });
        return ended;
      });
      logSecurity(request, 'sessions_ended', {
        ...asLogged(actor),
        ...(player ? { player: player.id } : { everybody: true }),
        ended: sessions_ended,
      });
      return { email: player?.shown ?? null, sessions_ended };
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
      const { new_email } = request.body;
      const actor = actorOf(request);
      requireEverything(actor);
      const { id, email, name, shown } = await find(request.body, actor);
      const until = await audited(deps, actor, async (trx, write) => {
        const valid = await proposeEmail({ ...deps, db: trx }, { id, email }, new_email);
        await write({
          area: 'players',
          what: `Mailed a code for a new address of ${name}`,
          player_id: id,
          after: { address: maskEmail(new_email) },
        });
        return valid;
      });
      return { email: shown, new_email, valid_until: until.toISOString() };
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
      const { new_email, code } = request.body;
      const actor = actorOf(request);
      requireEverything(actor);
      const { id, email, name } = await find(request.body, actor);
      const changed = await confirmEmail(deps, { id, email }, new_email, code, (trx) =>
        audited({ ...deps, db: trx }, actor, (_trx, write) =>
          write({
            area: 'players',
            what: `Changed the address of ${name}`,
            player_id: id,
            before: { address: maskEmail(email) },
            after: { address: maskEmail(new_email) },
          }),
        ),
      );
      logSecurity(request, 'email_changed', {
        ...asLogged(actor),
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
      const { date_of_birth, reason } = request.body;
      const actor = actorOf(request);
      const { id, name, shown } = await find(request.body, actor);
      if (reason === undefined && actor.kind === 'staff')
        throw badField('reason', 'Say why: it goes to the audit.');
      await audited(deps, actor, async (trx, write) => {
        await requirePlayer(trx, actor, id);
        await replaceBirthdate({ ...deps, db: trx }, id, date_of_birth);
        // No birth dates in the audit (P65).
        await write({
          area: 'players',
          what: `Corrected the birth date of ${name}`,
          player_id: id,
          ...(reason === undefined ? {} : { after: { reason } }),
        });
      });
      logSecurity(request, 'birthdate_changed', { ...asLogged(actor), player: id });
      return { email: shown, date_of_birth };
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
      const actor = actorOf(request);
      requireEverything(actor);
      const { id, name, shown } = await find(request.body, actor);
      const games_kept = await audited(deps, actor, async (trx, write) => {
        await deletePlayer(trx, id, deps.clock.now());
        const kept = await countGames(trx, id);
        await write({
          area: 'players',
          what: `Deleted ${name}`,
          player_id: id,
          after: { 'games kept': kept },
        });
        return kept;
      });
      logSecurity(request, 'account_deleted', { ...asLogged(actor), player: id });
      return { email: shown, games_kept };
    },
  );
}
