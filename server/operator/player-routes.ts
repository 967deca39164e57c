import { average } from '#contract/abbreviate.ts';
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
import { deletePlayer } from '../accounts/accounts.ts';
import { confirmEmail, proposeEmail } from '../accounts/address.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import type { App } from '../http/scope.ts';
import { maskEmail } from '../log.ts';
import { replaceBirthdate, selectUser, toUser } from '../profile/profile.ts';
import { suggesting } from './names.ts';
import { operatorSchema, refusals } from './schema.ts';

/** Addresses that are compared with one that is not known; only those that begin like it. */
const CANDIDATES_MAX = 2_000;

/** `player …` of the command line. Addresses travel in bodies, so that no log of paths has them (P42). */
export function playerCommands(app: App, deps: Deps): void {
  const { db } = deps;

  /** The id of an account. @throws Refusal 404, with addresses that come near. */
  const find = (email: string) =>
    suggesting(
      email,
      async () => {
        const rows = await db
          .selectFrom('players')
          .select('email')
          .where((eb) => eb.fn('starts_with', ['email', eb.val(email.slice(0, 1))]), '=', true)
          .limit(CANDIDATES_MAX)
          .execute();
        return rows.map((row) => row.email);
      },
      async () => {
        const row = await db
          .selectFrom('players')
          .select('id')
          .where('email', '=', email)
          .executeTakeFirst();
        if (row === undefined) throw notFound(`There is no account with the address ${email}.`);
        return row.id;
      },
    );

  app.get(
    '/api/operator/players/',
    {
      schema: {
        ...operatorSchema('List the codes of players who can play, for a simulated arcade'),
        querystring: playersQuery,
        response: { 200: playersAnswer, ...refusals },
      },
    },
    async (request) => {
      const rows = await db
        .selectFrom('players')
        .select(['uuid', 'username'])
        .where('username', 'is not', null)
        .where('date_of_birth', 'is not', null)
        .orderBy('id')
        .limit(request.query.count)
        .execute();
      return { results: rows.map(({ uuid, username }) => ({ uuid, username: username ?? '' })) };
    },
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
    async (request) => {
      const id = await find(request.body.email);
      const row = await selectUser(db)
        .leftJoin('leagues', 'leagues.id', 'teams.league_id')
        .select((eb) => [
          'players.email_verified_at',
          'players.created_at',
          'leagues.name as league_name',
          eb
            .selectFrom('sessions')
            .whereRef('sessions.player_id', '=', 'players.id')
            .where('sessions.expires_at', '>', deps.clock.now())
            .select(eb.fn.countAll<number>().as('sessions'))
            .as('sessions'),
          eb
            .selectFrom('games')
            .whereRef('games.player_id', '=', 'players.id')
            .where('games.state', '=', 'held')
            .select(eb.fn.countAll<number>().as('held'))
            .as('held_games'),
        ])
        .where('players.id', '=', id)
        .executeTakeFirstOrThrow();
      const user = toUser(row);
      return {
        email: row.email,
        username: row.username,
        verified: row.email_verified_at !== null,
        profile_setup_complete: user.profile_setup_complete,
        sign_in_methods: user.sign_in_methods,
        created_at: row.created_at.toISOString(),
        sessions: row.sessions ?? 0,
        team:
          row.team_name === null ? null : { name: row.team_name, league: row.league_name ?? '' },
        league_mode_enabled: row.league_mode_enabled,
        games_played: row.games_played ?? 0,
        highscore: row.highscore ?? 0,
        avg_score: average(row.score_sum ?? 0, row.games_played ?? 0),
        held_games: row.held_games ?? 0,
      };
    },
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
      let query = db.deleteFrom('sessions');
      if (email !== null) query = query.where('player_id', '=', await find(email));
      const { numDeletedRows } = await query.executeTakeFirstOrThrow();
      request.log.warn(
        { event: 'signed_out', who: email === null ? 'everybody' : maskEmail(email) },
        'sessions were ended by the operator',
      );
      return { email, sessions_ended: Number(numDeletedRows) };
    },
  );

  app.post(
    '/api/operator/players/change-email/',
    {
      schema: {
        ...operatorSchema('Mail a code to the address to which an account is to move'),
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
        ...operatorSchema('Move an account to the address that its code came to'),
        body: confirmEmailBody,
        response: { 200: emailChangedAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email, new_email, code } = request.body;
      const id = await find(email);
      const changed = await confirmEmail(deps, { id, email }, new_email, code);
      request.log.warn(
        { event: 'email_changed', player: id, from: maskEmail(email), to: maskEmail(new_email) },
        'an address was changed by the operator',
      );
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
      request.log.warn({ event: 'birthdate_changed', player: id }, 'changed by the operator');
      return { email, date_of_birth };
    },
  );

  app.post(
    '/api/operator/players/delete/',
    {
      schema: {
        ...operatorSchema('Delete an account for good'),
        body: playerRef,
        response: { 200: deletedAnswer, ...refusals },
      },
    },
    async (request) => {
      const { email } = request.body;
      const id = await find(email);
      await deletePlayer(deps, id);
      const { kept } = await db
        .selectFrom('games')
        .select((eb) => eb.fn.countAll<number>().as('kept'))
        .where('player_id', '=', id)
        .executeTakeFirstOrThrow();
      request.log.warn({ event: 'account_deleted', player: id }, 'deleted by the operator');
      return { email, games_kept: kept };
    },
  );
}
