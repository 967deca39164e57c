import { Readable } from 'node:stream';
import { SCREEN_HEARTBEAT_MS } from '#contract/slides.ts';
import type { Listener } from '../db/listener.ts';
import { readScreenNotice, type ScreenNotice } from '../db/notices.ts';
import type { Deps } from '../deps.ts';
import { unavailable } from '../errors.ts';
import { readPlayedLeagues } from './payload.ts';
import { existingScreens } from './screens.ts';

/** A third stream closes the oldest, which is dead if the television lost its network. */
const STREAMS_OF_A_SCREEN = 2;
const STREAMS_MAX = 1_000;
/** A screen with this much unread data is dropped. An event has about 20 bytes. */
const UNREAD_MAX_BYTES = 4 * 1024;
const CHECK_EVERY_MS = 20_000;

type Stream = { screen_id: number; venue_id: number; leagues: Set<number>; lines: Readable };

export type ScreenStreams = {
  /**
   * A screen's stream: heartbeats, and `change` when something on it may have changed (SCREEN-04).
   * It ends at shutdown, and when the screen is removed, moves to another venue, opens more than
   * two, or does not read.
   * @throws Refusal 503 when there are too many streams; any error of the database.
   */
  open(screen: { id: number; venue_id: number }): Promise<Readable>;
  count(): number;
  /** Ends every stream at once (P41). */
  close(): void;
};

function write({ lines }: Stream, text: string): void {
  if (lines.readableLength > UNREAD_MAX_BYTES) lines.destroy();
  else if (!lines.destroyed) lines.push(text);
}

const emit = (stream: Stream) => write(stream, 'event: change\ndata:\n\n');

function concerns({ event, ids }: ScreenNotice, { venue_id, leagues }: Stream): boolean {
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
    onNotice: (payload) => {
      const notice = readScreenNotice(payload);
      if (notice === null) return;
      let settings = false;
      for (const stream of streams)
        if (concerns(notice, stream)) {
          emit(stream);
          settings = notice.event === 'venue';
        }
      // A screen may have been removed.
      if (settings) void check();
    },
    onGap: () => {
      for (const stream of streams) emit(stream);
    },
  });

  const leaguesOf = async (venueId: number) =>
    new Set((await readPlayedLeagues(db, venueId)).map(({ id }) => id));

  function end(stream: Stream): void {
    if (streams.delete(stream)) stream.lines.push(null);
  }

  let checking: Promise<void> | null = null;
  let again = false;
  /** Never runs two checks at once: a call during a check causes one more check. */
  function check(): Promise<void> {
    again = true;
    checking ??= repeatCheck().finally(() => {
      checking = null;
    });
    return checking;
  }

  async function repeatCheck(): Promise<void> {
    while (again) {
      again = false;
      await checkAll();
    }
  }

  /**
   * Ends the streams of removed or moved screens, and reads the venues' leagues again. Changes
   * nothing while the database is down.
   */
  async function checkAll(): Promise<void> {
    const checked = [...streams];
    if (checked.length === 0) return;
    try {
      const exist = await existingScreens(
        db,
        checked.map(({ screen_id }) => screen_id),
      );
      for (const stream of checked)
        if (exist.get(stream.screen_id) !== stream.venue_id) end(stream);
      for (const venueId of new Set(checked.map(({ venue_id }) => venue_id))) {
        const leagues = await leaguesOf(venueId);
        for (const stream of checked) if (stream.venue_id === venueId) stream.leagues = leagues;
      }
    } catch (err) {
      log.warn({ err }, 'screens cannot be checked');
    }
  }

  const heartbeat = setInterval(() => {
    for (const stream of streams) write(stream, ':\n\n');
  }, SCREEN_HEARTBEAT_MS).unref();
  const checks = setInterval(check, CHECK_EVERY_MS).unref();

  return {
    open: async ({ id, venue_id }) => {
      await listener.listening();
      const leagues = await leaguesOf(venue_id);
      if (closed || streams.size >= STREAMS_MAX) throw unavailable();
      const own = [...streams].filter(({ screen_id }) => screen_id === id);
      if (own[0] && own.length >= STREAMS_OF_A_SCREEN) end(own[0]);
      const lines = new Readable({ read: () => undefined });
      const stream: Stream = { screen_id: id, venue_id, leagues, lines };
      streams.add(stream);
      lines.once('close', () => streams.delete(stream));
      // The screen reads its payload after this line, so it misses no change.
      write(stream, ':\n\n');
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
