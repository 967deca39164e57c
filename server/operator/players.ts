import { confirmEmail, proposeEmail } from '../accounts/address.ts';
import { endEverySession, endSessions } from '../accounts/sessions.ts';
import { badField } from '../errors.ts';
import { countGames } from '../games/history.ts';
import { maskEmail } from '../log.ts';
import { deletePlayer } from '../players/erase.ts';
import { listCodes } from '../players/players.ts';
import { replaceBirthdate } from '../profile/profile.ts';
import { audited } from '../staff/audit.ts';
import { requireEverything, requireRole } from '../staff/policy.ts';
import { readAccount } from '../staff-pages/account.ts';
import { readPlayerPage } from '../staff-pages/player.ts';
import { searchPlayers } from '../staff-pages/search.ts';
import { change, type Noun, read } from './command.ts';

/** The commands `player …`. Addresses are in the body, because paths are logged (P42). */
export const players: Noun = {
  area: 'players',
  topics: [],
  commands: [
    read('GET /api/operator/players/', {
      summary: 'List codes of players who may play, for a simulated arcade',
      role: 'key',
      work: async ({ db, query }) => ({ results: await listCodes(db, query.count) }),
    }),
    read('POST /api/operator/players/search/', {
      summary: 'Find players by name, address or code; or who played last',
      role: 'manager',
      work: ({ db, body, actor }) => searchPlayers(db, body.text, actor),
    }),
    read('GET /api/operator/players/page/', {
      summary: 'Show an account with its newest games',
      role: 'manager',
      work: (asked) => readPlayerPage(asked, Number(asked.query.account), asked.query.games),
    }),
    change('POST /api/operator/players/show/', {
      summary: 'Show an account with its address',
      role: 'manager',
      work: async (asked) => {
        const { id, name } = await asked.find.player(asked.body);
        return {
          answer: await readAccount(asked, id),
          audit: { what: `Looked at ${name}`, player_id: id, after: { address: 'shown' } },
        };
      },
    }),
    change('POST /api/operator/players/sign-out/', {
      summary: 'End every session of one player, or of all',
      role: 'manager',
      work: async ({ db, actor, body, find }) => {
        if ('all' in body) requireRole(actor, 'owner');
        const player = 'all' in body ? null : await find.player(body);
        const ended = await (player ? endSessions(db, player.id) : endEverySession(db));
        return {
          answer: { email: player?.shown ?? null, sessions_ended: ended },
          audit: {
            what: player ? `Signed out ${player.name}` : 'Signed out all players',
            ...(player && { player_id: player.id }),
            before: { sessions: ended },
            after: { sessions: 0 },
          },
          log: [
            'sessions_ended',
            { ...(player ? { player: player.id } : { everybody: true }), ended },
          ],
        };
      },
    }),
    change('POST /api/operator/players/change-email/', {
      summary: 'Mail a code to the new address of an account',
      role: 'manager',
      work: async (asked) => {
        const { new_email } = asked.body;
        requireEverything(asked.actor);
        const { id, email, name, shown } = await asked.find.player(asked.body);
        const until = await proposeEmail(asked, { id, email }, new_email);
        return {
          answer: { email: shown, new_email, valid_until: until.toISOString() },
          audit: {
            what: `Mailed a code for a new address of ${name}`,
            player_id: id,
            after: { address: maskEmail(new_email) },
          },
        };
      },
    }),
    // Opens its own transactions, because a wrong code counts although the change is refused.
    read('POST /api/operator/players/confirm-email/', {
      summary: 'Change the address of an account by its code',
      role: 'manager',
      work: async (asked) => {
        const { new_email, code } = asked.body;
        requireEverything(asked.actor);
        const { id, email, name } = await asked.find.player(asked.body);
        const changed = await confirmEmail(asked, { id, email }, new_email, code, (trx) =>
          audited({ ...asked, db: trx }, asked.actor, {}, (_trx, write) =>
            write({
              area: 'players',
              what: `Changed the address of ${name}`,
              player_id: id,
              before: { address: maskEmail(email) },
              after: { address: maskEmail(new_email) },
            }),
          ),
        );
        asked.report('email_changed', { player: id, email: new_email });
        return { email: new_email, ...changed };
      },
    }),
    change('POST /api/operator/players/birthdate/', {
      summary: 'Correct a birth date',
      role: 'manager',
      work: async (asked) => {
        const { date_of_birth, reason } = asked.body;
        if (reason === undefined && asked.actor.kind === 'staff')
          throw badField('reason', 'Say why: it goes to the audit.');
        const { id, name, shown } = await asked.find.player(asked.body);
        await replaceBirthdate(asked, id, date_of_birth);
        return {
          answer: { email: shown, date_of_birth },
          // No birth dates in the audit (P65).
          audit: {
            what: `Corrected the birth date of ${name}`,
            player_id: id,
            ...(reason !== undefined && { after: { reason } }),
          },
          log: ['birthdate_changed', { player: id }],
        };
      },
    }),
    change('POST /api/operator/players/delete/', {
      summary: 'Delete an account permanently',
      role: 'manager',
      work: async (asked) => {
        requireEverything(asked.actor);
        const { id, name, shown } = await asked.find.player(asked.body);
        await deletePlayer(asked.db, id, asked.clock.now());
        const games_kept = await countGames(asked.db, id);
        return {
          answer: { email: shown, games_kept },
          audit: { what: `Deleted ${name}`, player_id: id, after: { 'games kept': games_kept } },
          log: ['account_deleted', { player: id }],
        };
      },
    }),
  ],
};
