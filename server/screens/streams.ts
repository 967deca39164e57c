import { Readable } from 'node:stream';
import { SCREEN_HEARTBEAT_MS } from '#contract/rules/live.ts';
import type { Listener } from '../db/listener.ts';
import { readScreenNotification, type ScreenNotification } from '../db/notifications.ts';
import type { Deps } from '../deps.ts';
import { unavailable } from '../errors.ts';
import { write } from '../http/event-stream.ts';
import { readPlayedLeagues } from './payload.ts';
import { existingScreens } from './screens.ts';

/** A third stream closes the oldest, which is dead if the television lost its network. */
const STREAMS_OF_A_SCREEN = 2;
const STREAMS_MAX = 1_000;
const CHECK_EVERY_MS = 20_000;

type Stream = { screen_id: number; venue_id: number; leagues: Set<number>; lines: Readable };

export type ScreenStreams = {
  /**
   * A screen's stream: heartbeats, and `change` when something on it may have changed (SCREEN-04).
   * It ends at shutdown, and when the screen is removed, moves to another venue, opens two newer
   * streams, or stops reading.
   * @throws Refusal 503 when there are too many streams; any error of the database.
   */
  open(screen: { id: number; venue_id: number }): Promise<Readable>;
  count(): number;
  /** Ends every stream at once (P41). */
  close(): void;
};

const emit = ({ lines }: Stream) => write(lines, 'event: change\ndata:\n\n');

const idsOf = (leagues: readonly { id: number }[] = []) => new Set(leagues.map(({ id }) => id));

function concerns({ event, ids }: ScreenNotification, { venue_id, leagues }: Stream): boolean {
  if (event === 'venue') return ids.has(venue_id);
  return [...leagues].some((id) => ids.has(id));
}

/** Screens' event streams, fed by the notifications of all processes (decision 040). */
export function openScreenStreams(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  listener: Listener,
): ScreenStreams {
  const streams = new Set<Stream>();
  let closed = false;

  listener.subscribe({
    onNotification: (payload) => {
      const notification = readScreenNotification(payload);
      if (notification === null) return;
      const concerned = [...streams].filter((stream) => concerns(notification, stream));
      for (const stream of concerned) emit(stream);
      // A screen may have been removed, or a league may be new here.
      if (notification.event === 'venue') void check(concerned);
    },
    onGap: () => {
      for (const stream of streams) emit(stream);
    },
  });

  function end(stream: Stream): void {
    if (streams.delete(stream)) stream.lines.push(null);
  }

  let unchecked = new Set<Stream>();
  let checking = false;

  /**
   * Ends the streams whose screens were removed or moved, and reads the leagues of the other
   * streams' venues again. Never runs two checks at once: calls during a check cause one more
   * check. Changes nothing while the database is down.
   */
  async function check(some: Iterable<Stream>): Promise<void> {
    for (const stream of some) unchecked.add(stream);
    if (checking) return;
    checking = true;
    while (unchecked.size > 0) {
      const checked = [...unchecked];
      unchecked = new Set();
      await checkStreams(checked).catch((err) => log.warn({ err }, 'screens cannot be checked'));
    }
    checking = false;
  }

  async function checkStreams(checked: readonly Stream[]): Promise<void> {
    const exist = await existingScreens(
      db,
      checked.map(({ screen_id }) => screen_id),
    );
    for (const stream of checked) if (exist.get(stream.screen_id) !== stream.venue_id) end(stream);
    const leagues = await readPlayedLeagues(
      db,
      checked.map(({ venue_id }) => venue_id),
    );
    for (const stream of checked) stream.leagues = idsOf(leagues.get(stream.venue_id));
  }

  const heartbeat = setInterval(() => {
    for (const { lines } of streams) write(lines, ':\n\n');
  }, SCREEN_HEARTBEAT_MS).unref();
  const checks = setInterval(() => void check(streams), CHECK_EVERY_MS).unref();

  return {
    open: async ({ id, venue_id }) => {
      await listener.listening();
      const leagues = idsOf((await readPlayedLeagues(db, [venue_id])).get(venue_id));
      if (closed || streams.size >= STREAMS_MAX) throw unavailable();
      const own = [...streams].filter(({ screen_id }) => screen_id === id);
      if (own[0] && own.length >= STREAMS_OF_A_SCREEN) end(own[0]);
      const lines = new Readable({ read: () => undefined });
      const stream: Stream = { screen_id: id, venue_id, leagues, lines };
      streams.add(stream);
      lines.once('close', () => streams.delete(stream));
      // The screen reads its payload after this line, so it misses no change.
      write(lines, ':\n\n');
      return lines;
    },
    count: () => streams.size,
    close: () => {
      closed = true;
      clearInterval(heartbeat);
      clearInterval(checks);
      for (const stream of streams) end(stream);
    },
  };
}
