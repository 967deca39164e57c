import { sql } from 'kysely';
import { canonicalEmail } from '#contract/rules/email.ts';
import { GAMES_LIST_MAX, HELD_LIST_MAX } from '#contract/rules/games.ts';
import { TELL_AFTER_S } from '#contract/rules/inbox.ts';
import type { Call } from '#contract/wire/calls.ts';
import type { Decision } from '#contract/wire/inbox.ts';
import { notFound, Refusal } from '../errors.ts';
import { correctMany } from '../games/correct-many.ts';
import {
  type Corrected,
  discardGame,
  type GameState,
  releaseGame,
  restoreGame,
  returnGame,
  voidGame,
} from '../games/corrections.ts';
import { lastDecisions, storeDecision } from '../games/decisions.ts';
import { reopenReport, settleReport } from '../games/reports.ts';
import { findPlayers } from '../players/players.ts';
import { authorOf } from '../staff/audit.ts';
import { readDecisions, readLeagueDecisions } from '../staff-pages/decisions.ts';
import { listGames, listHeld, listReports } from '../staff-pages/games.ts';
import { readInbox } from '../staff-pages/inbox.ts';
import { type Asked, type Command, change, type Noun, read } from './command.ts';

const shown = ({ seq, id, machine, player, score, played_at }: GameState) => ({
  game: String(seq),
  id,
  machine,
  player,
  score,
  played_at: played_at.toISOString(),
});
const withState = (game: GameState) => ({ ...shown(game), state: game.state });

/**
 * The answer, audit line and log event of a correction. `more` goes into the audit line and the
 * log.
 */
const corrected = (what: string, game: Corrected, more: Record<string, string> = {}) => ({
  answer: withState(game),
  audit: {
    what: `${what} of ${game.player ?? 'a deleted player'}`,
    venue_id: game.venue_id,
    player_id: game.player_id,
    before: { state: game.was },
    after: {
      state: game.state,
      points: game.score,
      played: game.played_at.toISOString(),
      machine: game.machine,
      game: game.seq,
      ...more,
    },
  },
  log: ['game_corrected', { game: game.seq, state: game.state, ...more }] as const,
});

const decide = (
  { db, clock, actor }: Pick<Asked<never>, 'db' | 'clock' | 'actor'>,
  game: GameState,
  decision: Decision,
) => storeDecision(db, game, { decision, at: clock.now(), ...authorOf(actor) });

type Correction = Extract<Call, `POST /api/operator/${'held' | 'games'}/${string}`>;
type Corrects = Exclude<Correction, `${string}/list/` | `${string}-many/`>;
const correction = (
  call: Corrects,
  summary: string,
  what: string,
  decision: Decision,
  work: (asked: Asked<never>, seq: number, game: GameState) => Promise<Corrected>,
): Command =>
  change(call, {
    summary,
    role: 'manager',
    work: async (asked) => {
      const found = await asked.find.game(asked.body);
      const game = await work(asked, found.seq, found);
      await decide(asked, game, decision);
      return corrected(what, game);
    },
  });

/** Whether a game was voided so recently that the player has not been told (OPS-17). */
async function isNewlyVoid(
  { db, clock }: Pick<Asked<never>, 'db' | 'clock'>,
  game: GameState,
): Promise<boolean> {
  const [last] = await lastDecisions(db, [game]);
  const since = clock.now().getTime() - TELL_AFTER_S * 1_000;
  return last?.decision === 'void' && last.at.getTime() > since;
}

/**
 * Corrects many games. Returns the answer, one audit line with their number, and the log event
 * (GAME-14).
 */
async function manyCorrected(
  asked: Pick<Asked<never>, 'db' | 'clock' | 'policy'>,
  what: string,
  {
    machine,
    ...many
  }: Omit<Parameters<typeof correctMany>[1], 'machine_id' | 'reached'> & {
    machine: { id: number; name: string; venue_id: number | null };
  },
) {
  const answer = await correctMany(
    asked.db,
    { ...many, machine_id: machine.id, reached: asked.policy.game },
    asked.clock.now(),
  );
  const { games, players } = answer;
  const about = {
    machine: machine.name,
    machine_id: machine.id,
    games,
    players,
    from: many.since?.toISOString() ?? null,
    to: many.until?.toISOString() ?? null,
  };
  if (games === 0) return { answer };
  return {
    answer,
    audit: {
      what: `${what} of ${machine.name}: ${games}`,
      venue_id: machine.venue_id,
      before: { state: many.from },
      after: { state: many.to, ...about },
    },
    log: ['game_corrected', { machine: machine.id, games, state: many.to }] as const,
  };
}

/**
 * The machine that a filter means. A machine out of reach counts as unknown, because a filter must
 * not reveal which machines exist (STAFF-02).
 */
const machineOf = ({ find }: Pick<Asked<never>, 'find'>, ref: string) =>
  find.machine(ref).catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 403)
      throw notFound(`There is no machine “${ref}”.`);
    throw error;
  });

/** The player that a filter means; for limited staff, only one whom they reach (STAFF-02). */
async function playerOf(
  { db, policy }: Pick<Asked<never>, 'db' | 'policy'>,
  typed: string,
): Promise<number> {
  const by = typed.includes('@') ? { emails: [canonicalEmail(typed)] } : { usernames: [typed] };
  const [player] = await findPlayers(db, by, policy.player(sql.ref('players.id')));
  if (!player?.reached) throw notFound(`There is no player “${typed}”.`);
  return player.id;
}

/** The commands `held …`, `game …` and `report …`. */
export const games: Noun = {
  area: 'games',
  // The inbox lists every decision, including those about games that were not held (GAME-13).
  topics: ['held'],
  commands: [
    read('GET /api/operator/held/', {
      summary: 'List the held games, oldest first',
      role: 'manager',
      work: async ({ db, policy }) => {
        const { games, total } = await listHeld(db, HELD_LIST_MAX, policy.game);
        const results = games.flatMap((game) =>
          game.held_reason === null
            ? []
            : {
                ...shown(game),
                received_at: game.received_at.toISOString(),
                reason: game.held_reason,
              },
        );
        return { results, total };
      },
    }),
    read('GET /api/operator/inbox/', {
      summary:
        'List the held games, reports and requests to join, each with what staff need to decide',
      role: 'manager',
      work: (asked) => readInbox(asked, asked.policy),
    }),
    read('GET /api/operator/inbox/decided/', {
      summary: 'Show who decided about a game last, and what',
      role: 'manager',
      work: async ({ db, find, query }) => {
        const [last] = await lastDecisions(db, [await find.game(query)]);
        if (last === undefined) return { decided: null };
        const { decision, by, at } = last;
        return { decided: { decision, by, at: at.toISOString() } };
      },
    }),
    read('GET /api/operator/inbox/decisions/', {
      summary: 'List what was decided about games and leagues within a day, newest first',
      role: 'manager',
      work: async (asked) => ({
        results: await readDecisions(asked, asked.policy.game),
        leagues: await readLeagueDecisions(asked, asked.policy.league),
      }),
    }),
    // A POST: the filter may contain an address, and paths are logged (P42).
    read('POST /api/operator/games/list/', {
      summary:
        'List games, newest first: of a player, of a machine, since a time, by the machine’s id',
      role: 'manager',
      work: async (asked) => {
        const { player, machine, since, id } = asked.body;
        const { games, total } = await listGames(
          asked.db,
          {
            ...(player !== undefined && { player_id: await playerOf(asked, player) }),
            ...(machine !== undefined && { machine_id: (await machineOf(asked, machine)).id }),
            ...(since !== undefined && { since: new Date(since) }),
            ...(id !== undefined && { id }),
          },
          GAMES_LIST_MAX,
          asked.policy,
        );
        return { results: games.map(withState), total };
      },
    }),
    read('GET /api/operator/games/show/', {
      summary: 'Show a game',
      role: 'manager',
      work: async ({ find, query }) => withState(await find.game(query)),
    }),
    correction(
      'POST /api/operator/held/release/',
      'Accept a held game: it then counts',
      'Released a held game',
      'release',
      releaseGame,
    ),
    correction(
      'POST /api/operator/held/discard/',
      'Discard a held game: it counts nowhere',
      'Discarded a held game',
      'discard',
      discardGame,
    ),
    correction(
      'POST /api/operator/held/return/',
      'Hold a released or discarded game again',
      'Returned a game to the held ones',
      'return',
      returnGame,
    ),
    change('POST /api/operator/held/discard-many/', {
      summary: 'Discard the held games of a machine permanently, at most those of 10,000 players',
      role: 'manager',
      work: async (asked) => {
        const { machine, since } = asked.body;
        return manyCorrected(asked, 'Discarded held games', {
          machine: await asked.find.machine(machine),
          from: 'held',
          to: 'discarded',
          since: since === undefined ? null : new Date(since),
          until: null,
        });
      },
    }),
    change('POST /api/operator/games/void-many/', {
      summary: 'Void the games of a machine between two times, at most those of 100 players',
      role: 'manager',
      work: async (asked) => {
        const { machine, from, to } = asked.body;
        return manyCorrected(asked, 'Voided games', {
          machine: await asked.find.machine(machine),
          from: 'counted',
          to: 'void',
          since: new Date(from),
          until: new Date(to),
        });
      },
    }),
    correction(
      'POST /api/operator/games/void/',
      'Void a game: it counts nowhere',
      'Voided a game',
      'void',
      voidGame,
    ),
    correction(
      'POST /api/operator/games/restore/',
      'Restore a void game: it counts again',
      'Restored a game',
      'restore',
      async (asked, seq, game) => restoreGame(asked, seq, await isNewlyVoid(asked, game)),
    ),
    read('GET /api/operator/reports/', {
      summary: 'List the open reports of games, oldest first',
      role: 'manager',
      work: async ({ db, policy }) => {
        const { reports, total } = await listReports(db, HELD_LIST_MAX, policy.game);
        const results = reports.map(({ venue, reason, text, reported_at, ...game }) => ({
          ...withState(game),
          venue,
          reason,
          text,
          reported_at: reported_at.toISOString(),
        }));
        return { results, total };
      },
    }),
    change('POST /api/operator/reports/settle/', {
      summary: 'Settle a report: void the game, or say that it stands',
      role: 'manager',
      work: async (asked) => {
        const { verdict } = asked.body;
        const { seq } = await asked.find.game(asked.body);
        const settled = await settleReport(asked, seq, verdict);
        await decide(asked, settled, verdict);
        const { audit, ...done } = corrected('Settled the report', settled, { report: verdict });
        return {
          ...done,
          audit: { ...audit, what: `${audit.what}: ${verdict}` },
          topics: settled.was === 'held' && settled.state !== 'held' ? ['held'] : [],
        };
      },
    }),
    change('POST /api/operator/reports/reopen/', {
      summary: 'Open the settled report of a game again; the game stays as it is',
      role: 'manager',
      work: async (asked) => {
        const { seq } = await asked.find.game(asked.body);
        const opened = await reopenReport(asked, seq);
        await decide(asked, opened, 'reopen');
        return { ...corrected('Reopened the report', opened, { report: 'open' }), topics: [] };
      },
    }),
  ],
};
