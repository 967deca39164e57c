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
import { readAccount } from '../accounts/account.ts';
import { confirmEmail, proposeEmail } from '../accounts/address.ts';
import { endEverySession, endSessions } from '../accounts/sessions.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { countGames } from '../games/history.ts';
import type { App } from '../http/scope.ts';
import { logSecurity } from '../http/security-log.ts';
import { deletePlayer } from '../players/erase.ts';
import { findByEmail, listCodes, listEmails } from '../players/players.ts';
import { replaceBirthdate } from '../profile/profile.ts';
import { suggesting } from './names.ts';
import { operatorSchema, refusals } from './schema.ts';

/**
 * An unknown address is compared with at most this many known addresses with the same first letter.
 */
const CANDIDATES_MAX = 2_000;

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
   * @throws Refusal 404 that suggests similar addresses.
   */
  const find = (email: string) =>
    suggesting(
      email,
      () => listEmails(db, email.slice(0, 1), CANDIDATES_MAX),
      async () => {
        const player = await findByEmail(db, email);
        if (player === undefined) throw notFound(`There is no account with the address ${email}.`);
        return player.id;
      },
    );

  app.get(
    '/api/operator/players/',
    {
      schema: {
        ...operatorSchema('List codes of players who may play, for a simulated arcade'),
        querystring: playersQuery,
        response: { 200: playersAnswer, ...refusals },
      },
    },
    async (request) => ({ results: await listCodes(db, request.query.count) }),
  );

  app.post(
    '/api/operator/players/show/',
    {
      schema: {
        ...operatorSchema('Show an account'),
        body: playerRef,
        response: { 200: playerAnswer, ...refusals },
      },
    },
    async (request) => readAccount(deps, await find(request.body.email)),
  );

  app.post(
    '/api/operator/players/sign-out/',
    {
      schema: {
        ...operatorSchema('End every session of one player, or of all'),
        body: signOutBody,
        response: { 200: signedOutAnswer, ...refusals },
      },
    },
    async (request) => {
      const email = 'email' in request.body ? request.body.email : null;
      const player = email === null ? null : await find(email);
      const sessions_ended = await (player === null
        ? endEverySession(db)
        : endSessions(db, player));
      logSecurity(request, 'sessions_ended', {
        actor: 'operator',
        ...(player === null ? { everybody: true } : { player }),
        ended: sessions_ended,
      });
      return { email, sessions_ended };
    },
  );

  app.post(
    '/api/operator/players/change-email/',
    {
      schema: {
        ...operatorSchema('Mail a code to the new address of an account'),
        body: changeEmailBody,
        response: { 200: changeEmailAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email, new_email } = request.body;
      const until = await proposeEmail(deps, { id: await find(email), email }, new_email);
      return { email, new_email, valid_until: until.toISOString() };
    },
  );

  app.post(
    '/api/operator/players/confirm-email/',
    {
      schema: {
        ...operatorSchema('Change the address of an account by its code'),
        body: confirmEmailBody,
        response: { 200: emailChangedAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email, new_email, code } = request.body;
      const id = await find(email);
      const changed = await confirmEmail(deps, { id, email }, new_email, code);
      logSecurity(request, 'email_changed', { actor: 'operator', player: id, email: new_email });
      return { email: new_email, ...changed };
    },
  );

  app.post(
    '/api/operator/players/birthdate/',
    {
      schema: {
        ...operatorSchema('Correct a birth date'),
        body: birthdateBody,
        response: { 200: birthdateAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email, date_of_birth } = request.body;
      const id = await find(email);
      await replaceBirthdate(deps, id, date_of_birth);
      logSecurity(request, 'birthdate_changed', { actor: 'operator', player: id });
      return { email, date_of_birth };
    },
  );

  app.post(
    '/api/operator/players/delete/',
    {
      schema: {
        ...operatorSchema('Delete an account permanently'),
        body: playerRef,
        response: { 200: deletedAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email } = request.body;
      const id = await find(email);
      await deps.db.transaction().execute((trx) => deletePlayer(trx, id, deps.clock.now()));
      const games_kept = await countGames(db, id);
      logSecurity(request, 'account_deleted', { actor: 'operator', player: id });
      return { email, games_kept };
    },
  );
}
