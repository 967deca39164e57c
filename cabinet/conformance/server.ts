import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GameResult, MachineGame } from '#contract/wire/machines.ts';

export type SentGame = Partial<Record<keyof MachineGame, unknown>>;

/** A report. The test answers it once, with `answer` or `drop`. */
export type Post = {
  /** When the last byte arrived, in monotonic ms. */
  at: number;
  headers: IncomingHttpHeaders;
  bytes: number;
  body: unknown;
  /** The games of a body `{games: […]}`, otherwise empty. */
  games: SentGame[];
  answer(status: number, body: object | string, headers?: Record<string, string>): void;
  /** Closes the connection without a response. */
  drop(): void;
};

export type FakeServer = {
  url: string;
  next(milliseconds: number): Promise<Post | null>;
  statuses: unknown[];
  now(): number;
  close(): Promise<void>;
};

const GREETING = {
  username: 'Dunk_Dee',
  avatar_color: '#377AD3',
  jersey_number: '07',
  team: { name: 'Night Shift' },
  league_mode_enabled: true,
  league_games_left: 5,
};

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

function send(
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Record<string, string> = {},
): void {
  const html = typeof body === 'string';
  response.writeHead(status, {
    'content-type': html ? 'text/html' : 'application/json; charset=utf-8',
    ...headers,
  });
  response.end(html ? body : JSON.stringify(body));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function gamesOf(body: unknown): SentGame[] {
  const games = (body as { games?: unknown } | null | undefined)?.games;
  if (!Array.isArray(games)) return [];
  return games.map((game) => (typeof game === 'object' && game !== null ? game : {}));
}

/**
 * Starts a fake server for one machine on `port` (0: any), with a clock `aheadMs` ahead. It answers
 * look-ups and statuses, and keeps reports for `next`. Calls `complain` for a wrong key, an unknown
 * call, or a report that is not sent as JSON.
 */
export async function startFakeServer(options: {
  port: number;
  key: string;
  aheadMs: number;
  complain: (rule: 'key' | 'call', what: string) => void;
}): Promise<FakeServer> {
  const { key, complain } = options;
  let ahead = options.aheadMs;
  const now = () => Date.now() + ahead;
  const posts: Post[] = [];
  const statuses: unknown[] = [];
  let arrived: () => void = () => {};

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await read(request);
    const { method, url = '', headers } = request;
    if (headers.authorization !== `Bearer ${key}`) {
      complain('key', `${method} ${url} came with Authorization: ${headers.authorization}`);
      return send(response, 401, { detail: 'This machine key is not known.' });
    }
    const server_time = new Date(now()).toISOString();
    if (method === 'GET' && url === '/api/machine/')
      return send(response, 200, { id: '1', name: 'Court 1', venue: null, server_time });
    if (method === 'GET' && /^\/api\/machine\/players\/[0-9a-f-]{36}\/$/i.test(url))
      return send(response, 200, { ...GREETING, server_time });
    if (method === 'PUT' && url === '/api/machine/status/') {
      statuses.push(parse(bytes));
      return send(response, 200, { server_time, state: 'idle' });
    }
    if (method !== 'POST' || url !== '/api/machine/games/') {
      complain('call', `${method} ${url} is not a call of the machine API`);
      return send(response, 404, { detail: 'There is nothing here.' });
    }
    if (!headers['content-type']?.startsWith('application/json'))
      complain('call', `the batch came as ${headers['content-type']}, not as application/json`);
    const body = parse(bytes);
    posts.push({
      at: performance.now(),
      headers,
      bytes: bytes.length,
      body,
      games: gamesOf(body),
      answer: (status, answer, more) => {
        // The fake clock continues from the `server_time` of this answer.
        const time = Date.parse(String((answer as { server_time?: unknown }).server_time));
        if (!Number.isNaN(time)) ahead = time - Date.now();
        send(response, status, answer, more);
      },
      drop: () => request.socket.destroy(),
    });
    arrived();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://localhost:${port}`,
    statuses,
    now,
    next: async (milliseconds) => {
      if (posts.length === 0)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          arrived = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      arrived = () => {};
      return posts.shift() ?? null;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The response to a report. Each game gets `verdict`'s result; null means `recorded`. */
export function recorded(
  games: SentGame[],
  time: number,
  verdict: (game: SentGame) => GameResult | null,
): object {
  const results = games.map(
    (game): GameResult =>
      verdict(game) ?? {
        id: String(game.id),
        status: 'recorded',
        counts: 'league',
        personal_best: false,
        achievements: [],
      },
  );
  return { results, server_time: new Date(time).toISOString() };
}
