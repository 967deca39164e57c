import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { SlideSetting } from '#contract/rules/screens.ts';
import type { Database } from '../db/database.ts';
import { notifyConsole } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { tooMany, unauthorized } from '../errors.ts';
import { sessionBuckets } from '../http/buckets.ts';
import { hashOf } from '../keys.ts';

import type { ShownScreen } from './payload.ts';
import { allSlides } from './screens.ts';

const SEEN_EVERY_MS = 60_000;
/** A screen calls every minute, and counts as live for this long after a call. */
const LIVE_MS = 150_000;
const TOKEN = /^Bearer (bbs_[\w-]{43})$/i;

/** Whether a screen last seen at `last_seen_at` is live. */
export const isLive = (last_seen_at: Date | null, now: Date): boolean =>
  last_seen_at !== null && now.getTime() - last_seen_at.getTime() < LIVE_MS;

export type CallingScreen = ShownScreen;

const screens = new WeakMap<FastifyRequest, CallingScreen>();

/** @throws Error outside the screen scope. */
export function screenOf(request: FastifyRequest): CallingScreen {
  const screen = screens.get(request);
  if (screen === undefined) throw new Error(`${request.url} is not in the screen scope`);
  return screen;
}

/**
 * The hook of the screen scope: `Authorization: Bearer bbs_…` (P66). Tokens are not cached: a
 * removed screen fails on its next call.
 * @throws Refusal 401 for a missing or unknown token; 429 for too many calls (P39a).
 */
export function authenticateScreen({
  db,
  anonymous,
  clock,
  log,
}: Pick<Deps, 'db' | 'anonymous' | 'clock' | 'log'>) {
  // Unproven tokens use the pool of anonymous callers: made-up ones cannot starve players (P17).
  const proven = new Set<string>();
  const spend = sessionBuckets();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const token = TOKEN.exec(request.headers.authorization ?? '')?.[1];
    const now = clock.now();
    const hash = token === undefined ? undefined : hashOf(token);
    const proof = hash?.toString('base64url') ?? '';
    const row = hash && (await readScreen(proven.has(proof) ? db : anonymous, hash));
    if (row === undefined) {
      proven.delete(proof);
      reply.header('www-authenticate', 'Bearer');
      throw unauthorized('This screen is not paired.');
    }
    proven.add(proof);
    const wait_s = spend(String(row.id), false);
    if (wait_s > 0) throw tooMany(wait_s, 'screen');
    const { last_seen_at, slides, ...screen } = row;
    screens.set(request, {
      ...screen,
      slides: allSlides(slides)
        .filter(({ on }) => on)
        .map(({ slide, seconds }) => ({ slide, seconds })),
    });
    if (last_seen_at === null || now.getTime() - last_seen_at.getTime() >= SEEN_EVERY_MS)
      await noteSeen(db, row.id, now, isLive(last_seen_at, now)).catch((err: unknown) => {
        // Only staff read `last_seen_at`, so the call goes on without it.
        log.warn({ err, screen: row.id }, 'the screen could not be noted as seen');
      });
  };
}

async function noteSeen(db: Database, id: number, now: Date, wasLive: boolean): Promise<void> {
  await sql`update screens set last_seen_at = ${now} where id = ${id}`.execute(db);
  if (!wasLive) await notifyConsole(db, ['screens']);
}

async function readScreen(db: Database, hash: Buffer): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select id, name, venue_id, still, slides, last_seen_at from screens
    where token_hash = ${hash}`.execute(db);
  return rows[0];
}

type Row = Omit<CallingScreen, 'slides'> & { slides: SlideSetting[]; last_seen_at: Date | null };
