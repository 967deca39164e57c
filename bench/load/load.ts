import { connect, type Socket } from 'node:net';

/**
 * Our own load generator, because no library supports all of this: a token for each of 10,000
 * players, a refresh with the token of the previous response, calls spread over machine keys, and a
 * comparison of acknowledged with stored games.
 */

export type Request = {
  /** Headers and body, in Latin-1. */
  text: string;
  answered?: (status: number, body: string) => void;
};

export type Load = {
  host?: string;
  port: number;
  connections: number;
  seconds: number;
  /** Load before the measurement, while the server compiles code and opens connections. */
  warmUpSeconds?: number;
  /** Milliseconds that a connection waits after each response. */
  restMs?: number;
  /** Returns the next request of connection number `connection` (from 0), or null to close it. */
  next: (connection: number) => Request | null;
};

export type Result = {
  /** Responses with status 2xx per second. */
  perSecond: number;
  p50: number;
  p99: number;
  /** Requests with another status or a broken connection. `example` is the first failure. */
  wrong: number;
  example: string | null;
};

const HEAD_END = '\r\n\r\n';
const LENGTH = /\r\ncontent-length: (\d+)/i;

/** An HTTP request as text, with an optional JSON body. */
export function request(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** Sends requests on all connections and measures. */
export async function load(options: Load): Promise<Result> {
  const {
    host = '127.0.0.1',
    port,
    connections,
    seconds,
    warmUpSeconds = 1,
    restMs = 0,
    next,
  } = options;
  const times: number[] = [];
  let wrong = 0;
  let example: string | null = null;
  const begin = performance.now() + warmUpSeconds * 1000;
  const end = begin + seconds * 1000;

  function run(socket: Socket, connection: number, done: () => void): void {
    let current: Request | null = null;
    let sentAt = 0;
    let buffer = '';
    const send = () => {
      current = next(connection);
      if (current === null) return socket.destroy();
      sentAt = performance.now();
      socket.write(current.text, 'latin1');
    };
    socket.setNoDelay(true);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      buffer = buffer === '' ? chunk : buffer + chunk;
      const headEnd = buffer.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const length = Number(LENGTH.exec(buffer)?.[1] ?? 0);
      if (buffer.length < headEnd + 4 + length) return;
      const now = performance.now();
      const status = Number(buffer.slice(9, 12));
      const body = buffer.slice(headEnd + 4);
      buffer = '';
      if (now >= begin && now < end)
        if (status >= 200 && status < 300) times.push(now - sentAt);
        else {
          wrong += 1;
          example ??= `${status} ${body.slice(0, 200)}`;
        }
      current?.answered?.(status, body);
      if (now < end && restMs > 0) setTimeout(send, restMs);
      else if (now < end) send();
      else socket.destroy();
    });
    socket.on('close', done);
    socket.on('error', () => {
      wrong += 1;
      example ??= 'the connection broke';
    });
    send();
  }

  await Promise.all(
    Array.from({ length: connections }, (_, connection) => {
      const socket = connect(port, host);
      return new Promise<void>((done, fail) => {
        socket.once('error', fail);
        socket.once('connect', () => {
          socket.off('error', fail);
          run(socket, connection, done);
        });
      });
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99), wrong, example };
}
