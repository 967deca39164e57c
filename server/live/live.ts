import { Readable } from 'node:stream';
import { HEARTBEAT_MS, type LiveEvent } from '#contract/rules/live.ts';
import type { Listener } from '../db/listener.ts';
import { type Notification, readNotification } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { unavailable } from '../errors.ts';
import type { Session } from '../http/caller.ts';
import { write } from '../http/event-stream.ts';
import { endWithSessions, type OpenAmong } from './sessions.ts';

/** A browser has six connections to a site. This leaves two for requests. */
export const STREAMS_OF_A_SESSION = 4;
/** Enough for three devices with STREAMS_OF_A_SESSION each (P39a). */
export const STREAMS_OF_A_PLAYER = 12;
/** At 50 kB each, these streams use a quarter of the memory at which load is shed (P39). */
const STREAMS_MAX = 5_000;
/**
 * A stream must end at most 30 s after its session has ended (API-14): 20 s between checks, and
 * 10 s for a query that fails.
 */
const CHECK_EVERY_MS = 20_000;
/** A new stream repeats events up to this old, because the page may have missed them. */
const RECENT_MS = 30_000;

type Stream = {
  player_id: number;
  session_id: string;
  league_id: number | null;
  lines: Readable;
};

export type Live = {
  /** Retries while the database is unavailable. */
  start(): void;
  /**
   * A session's event stream. It ends with the session or the access token, when the session or
   * player opens too many, when the client stops reading, and at shutdown.
   * @throws Refusal 503 for too many streams, or any error of the database.
   */
  open(session: Session): Promise<Readable>;
  count(): number;
  /** Ends every stream at once (P41). */
  close(): Promise<void>;
};

const emit = ({ lines }: Stream, event: LiveEvent) => write(lines, `event: ${event}\ndata:\n\n`);

/** Makes the page fetch all after missed notifications. `game` makes it fetch the league too. */
function emitAll(stream: Stream): void {
  emit(stream, 'game');
  emit(stream, 'profile');
}

function concerns({ event, ids }: Notification, { player_id, league_id }: Stream): boolean {
  if (event !== 'league') return ids.has(player_id);
  return league_id !== null && ids.has(league_id);
}

type Index = Map<number, Set<Stream>>;

function add(index: Index, key: number | null, stream: Stream): void {
  if (key === null) return;
  const known = index.get(key) ?? new Set();
  index.set(key, known.add(stream));
}

function remove(index: Index, key: number | null, stream: Stream): void {
  const known = key === null ? undefined : index.get(key);
  known?.delete(stream);
  if (key !== null && known?.size === 0) index.delete(key);
}

/** Players' event streams (API-14), fed by all processes' notifications. */
export function openLive(
  { pool, clock, log }: Pick<Deps, 'pool' | 'clock' | 'log'>,
  listener: Listener,
  openAmong: OpenAmong,
): Live {
  const streams = new Set<Stream>();
  /** The same streams by player and league, so that a notification need not search them all. */
  const byPlayer: Index = new Map();
  const byLeague: Index = new Map();
  let recent: (Notification & { at: number })[] = [];
  let gapAt = Number.NEGATIVE_INFINITY;
  let closed = false;
  listener.subscribe({ onNotification, onGap });

  function onNotification(payload: string): void {
    const notification = readNotification(payload);
    if (notification === null) return;
    const now = performance.now();
    recent.push({ ...notification, at: now });
    // Prune in bulk: pruning on every notification is O(n) each time.
    if ((recent[0]?.at ?? now) < now - 2 * RECENT_MS)
      recent = recent.filter(({ at }) => at > now - RECENT_MS);
    const index = notification.event === 'league' ? byLeague : byPlayer;
    const concerned = [...notification.ids].flatMap((id) => [...(index.get(id) ?? [])]);
    for (const stream of concerned) emit(stream, notification.event);
    if (notification.event === 'profile') void follow(concerned);
  }

  /** Streams whose players may have changed leagues. */
  let changed = new Set<Stream>();
  let reading = false;

  /** Reads the leagues of these streams' players in one query. Never runs two queries at once. */
  async function follow(own: readonly Stream[]): Promise<void> {
    for (const stream of own) changed.add(stream);
    if (reading) return;
    reading = true;
    while (changed.size > 0) {
      const read = [...changed].filter((stream) => streams.has(stream));
      changed = new Set();
      try {
        const leagues = await readLeagues(read.map(({ player_id }) => player_id));
        for (const stream of read)
          if (streams.has(stream)) setLeague(stream, leagues.get(stream.player_id) ?? null);
      } catch (err) {
        log.warn({ err }, 'leagues cannot be read: trying again at the next check');
        changed = new Set([...read, ...changed]);
        break;
      }
    }
    reading = false;
  }

  function setLeague(stream: Stream, league_id: number | null): void {
    remove(byLeague, stream.league_id, stream);
    stream.league_id = league_id;
    add(byLeague, league_id, stream);
  }

  function forget(stream: Stream): boolean {
    remove(byPlayer, stream.player_id, stream);
    remove(byLeague, stream.league_id, stream);
    return streams.delete(stream);
  }

  function end(stream: Stream): void {
    if (forget(stream)) stream.lines.push(null);
  }

  function onGap(): void {
    gapAt = performance.now();
    for (const stream of streams) emitAll(stream);
    void follow([...streams]);
  }

  /** `readAt`: when the read of the stream's league began, by `performance.now()`. */
  function emitRecent(stream: Stream, readAt: number): void {
    const since = performance.now() - RECENT_MS;
    const missed = recent.filter(
      (notification) => notification.at > since && concerns(notification, stream),
    );
    if (gapAt > since) emitAll(stream);
    else for (const event of new Set(missed.map(({ event }) => event))) emit(stream, event);
    if (gapAt > readAt || missed.some(({ event, at }) => event === 'profile' && at > readAt))
      void follow([stream]);
  }

  /** League ids by player; players without a team are absent. */
  async function readLeagues(playerIds: number[]): Promise<Map<number, number>> {
    const { rows } = await pool.query<{ id: number; league_id: number }>(
      `select p.id, t.league_id from players p join teams t on t.id = p.team_id
       where p.id = any($1)`,
      [[...new Set(playerIds)]],
    );
    return new Map(rows.map(({ id, league_id }) => [id, league_id]));
  }

  async function check(): Promise<void> {
    listener.probe();
    // Retry the leagues that could not be read.
    void follow([]);
    await endWithSessions(streams, openAmong, end, (err) =>
      log.warn({ err }, 'sessions cannot be checked: ending their event streams'),
    );
  }

  const heartbeat = setInterval(() => {
    for (const { lines } of streams) write(lines, ':\n\n');
  }, HEARTBEAT_MS).unref();
  const checks = setInterval(check, CHECK_EVERY_MS).unref();

  return {
    start: () => void listener.listening().catch(() => undefined),
    open: async ({ id, player_id, access_until }) => {
      await listener.listening();
      const readAt = performance.now();
      const league_id = (await readLeagues([player_id])).get(player_id) ?? null;
      if (closed || streams.size >= STREAMS_MAX) throw unavailable();
      const all = () => [...(byPlayer.get(player_id) ?? [])];
      const own = all().filter(({ session_id }) => session_id === id);
      // End the oldest stream, because phones that lose the network leave dead ones.
      if (own[0] && own.length >= STREAMS_OF_A_SESSION) end(own[0]);
      const [oldest, ...others] = all();
      if (oldest && others.length + 1 >= STREAMS_OF_A_PLAYER) end(oldest);

      const lines = new Readable({ read: () => undefined });
      const stream = { player_id, session_id: id, league_id, lines };
      streams.add(stream);
      add(byPlayer, player_id, stream);
      add(byLeague, league_id, stream);
      const over = setTimeout(() => end(stream), access_until.getTime() - clock.now().getTime());
      lines.once('close', () => {
        clearTimeout(over);
        forget(stream);
      });
      // An empty comment makes Node send the headers: the client sees the stream open.
      write(lines, ':\n\n');
      emitRecent(stream, readAt);
      return lines;
    },
    count: () => streams.size,
    close: async () => {
      closed = true;
      clearInterval(heartbeat);
      clearInterval(checks);
      for (const stream of streams) end(stream);
    },
  };
}
