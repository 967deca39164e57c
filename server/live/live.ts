import { Readable } from 'node:stream';
import { HEARTBEAT_MS, type LiveEvent } from '#contract/live.ts';
import { openListener } from '../db/listener.ts';
import { type Notice, readNotice } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { unavailable } from '../errors.ts';
import type { Session } from '../http/caller.ts';

/** A browser keeps six connections to a site: four pages that are looked at, and two for calls. */
export const STREAMS_OF_A_SESSION = 4;
/** P39a: three phones or computers with all of their pages open. */
export const STREAMS_OF_A_PLAYER = 12;
/** Some 50 kB each, so a quarter of the memory at which the process begins to refuse calls (P39). */
const STREAMS_MAX = 5_000;
/** An event has some 20 bytes: who leaves so many unread, beside what the network holds, is gone. */
const UNREAD_MAX_BYTES = 4 * 1024;
/** A stream ends within 30 s of its session (contract 2); a database that is away takes its time. */
const CHECK_EVERY_MS = 20_000;
/**
 * A page reads its figures and opens its stream at the same time: what happens in between is told
 * when the stream opens.
 */
const RECENT_MS = 30_000;

/** One open stream. */
type Stream = {
  player_id: number;
  session_id: string;
  league_id: number | null;
  lines: Readable;
};

/** The event streams of this process. */
export type Live = {
  /** Begins to listen, and goes on trying for as long as the database is away. */
  start(): void;
  /**
   * A stream of events for the player of a session. It ends with the session, with the access token,
   * when the session has opened too many after it, when nobody reads it, and when the process ends.
   * @throws Refusal 503 when there are too many; what the database throws when it is away.
   */
  open(session: Session): Promise<Readable>;
  /** How many are open. */
  count(): number;
  /** Ends every stream at once: a shutdown waits for none of them (P41). */
  close(): Promise<void>;
};

function say({ lines }: Pick<Stream, 'lines'>, text: string): void {
  if (lines.readableLength > UNREAD_MAX_BYTES) lines.destroy();
  else if (!lines.destroyed) lines.push(text);
}

const sayEvent = (stream: Stream, event: LiveEvent) => say(stream, `event: ${event}\ndata:\n\n`);

/** Something may have been missed, so everything is read anew; a `game` moves the league as well. */
function sayAll(stream: Stream): void {
  sayEvent(stream, 'game');
  sayEvent(stream, 'profile');
}

function concerns({ event, ids }: Notice, { player_id, league_id }: Stream): boolean {
  if (event !== 'league') return ids.has(player_id);
  return league_id !== null && ids.has(league_id);
}

/**
 * Streams of events (contract 2), fed by what any process has told. `openAmong` says which sessions
 * are still open.
 */
export function openLive(
  deps: Pick<Deps, 'pool' | 'clock' | 'log'>,
  openAmong: (sessionIds: string[]) => Promise<Set<string>>,
): Live {
  const { pool, clock, log } = deps;
  const streams = new Set<Stream>();
  let recent: (Notice & { at: number })[] = [];
  let gapAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  const listener = openListener(deps, { onNotice: tell, onGap: fillGap });

  function tell(payload: string): void {
    const notice = readNotice(payload);
    if (notice === null) return;
    const now = performance.now();
    recent.push({ ...notice, at: now });
    // The old ones go now and then, many at a time: a look through all for each would add up.
    if ((recent[0]?.at ?? now) < now - 2 * RECENT_MS)
      recent = recent.filter(({ at }) => at > now - RECENT_MS);
    const concerned = [...streams].filter((stream) => concerns(notice, stream));
    for (const stream of concerned) sayEvent(stream, notice.event);
    // A changed profile may mean another league.
    if (notice.event === 'profile')
      for (const [playerId, own] of Map.groupBy(concerned, ({ player_id }) => player_id))
        followLeague(playerId, own);
  }

  /** Reads a player's league once for all of their streams (P39a). */
  function followLeague(playerId: number, own: Stream[]): void {
    readLeague(playerId).then(
      (id) => {
        for (const stream of own) stream.league_id = id;
      },
      () => own.forEach(end),
    );
  }

  function end(stream: Stream): void {
    if (streams.delete(stream)) stream.lines.push(null);
  }

  function fillGap(): void {
    gapAt = performance.now();
    for (const stream of streams) sayAll(stream);
  }

  /** What a page may have missed that has read its figures just now. */
  function sayRecent(stream: Stream): void {
    const since = performance.now() - RECENT_MS;
    const missed = recent.filter((notice) => notice.at > since && concerns(notice, stream));
    if (gapAt > since) sayAll(stream);
    else for (const event of new Set(missed.map(({ event }) => event))) sayEvent(stream, event);
  }

  async function readLeague(playerId: number): Promise<number | null> {
    const { rows } = await pool.query<{ league_id: number }>(
      'select t.league_id from players p join teams t on t.id = p.team_id where p.id = $1',
      [playerId],
    );
    return rows[0]?.league_id ?? null;
  }

  /** Ends the streams of sessions that are over; one that cannot be checked is not trusted either. */
  async function check(): Promise<void> {
    listener.probe();
    const checked = [...streams];
    if (checked.length === 0) return;
    const open = await openAmong([...new Set(checked.map(({ session_id }) => session_id))]).catch(
      (error: unknown) => {
        log.warn({ err: error }, 'sessions cannot be checked: their event streams are ended');
        return new Set<string>();
      },
    );
    for (const stream of checked) if (!open.has(stream.session_id)) end(stream);
  }

  const heartbeat = setInterval(() => {
    for (const stream of streams) say(stream, ':\n\n');
  }, HEARTBEAT_MS).unref();
  const checks = setInterval(check, CHECK_EVERY_MS).unref();

  return {
    start: () => void listener.listening().catch(() => undefined),
    open: async ({ id, player_id, access_until }) => {
      await listener.listening();
      const league_id = await readLeague(player_id);
      if (closed || streams.size >= STREAMS_MAX) throw unavailable();
      const own = [...streams].filter(({ session_id }) => session_id === id);
      // The oldest: a phone that loses its network leaves streams behind that nobody reads.
      if (own[0] && own.length >= STREAMS_OF_A_SESSION) end(own[0]);
      const all = [...streams].filter((stream) => stream.player_id === player_id);
      if (all[0] && all.length >= STREAMS_OF_A_PLAYER) end(all[0]);

      const lines = new Readable({ read: () => undefined });
      const stream = { player_id, session_id: id, league_id, lines };
      streams.add(stream);
      const over = setTimeout(() => end(stream), access_until.getTime() - clock.now().getTime());
      lines.once('close', () => {
        clearTimeout(over);
        streams.delete(stream);
      });
      // Sends the headers: the page knows that it is heard.
      say(stream, ':\n\n');
      sayRecent(stream);
      return lines;
    },
    count: () => streams.size,
    close: async () => {
      closed = true;
      clearInterval(heartbeat);
      clearInterval(checks);
      for (const stream of streams) end(stream);
      await listener.close();
    },
  };
}
