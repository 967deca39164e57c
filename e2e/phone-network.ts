import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Socket } from 'node:net';
import { freePort } from '#testing/ports.ts';
import { newAddress } from './fixtures.ts';

/** Runs before the app. Notes errors in session storage, because some drivers report none. */
const WATCH = `{
  const note = (text) =>
    sessionStorage.setItem('noise', (sessionStorage.getItem('noise') ?? '') + text + '\\n');
  const { error } = console;
  console.error = (...parts) => {
    note('console: ' + parts.join(' '));
    error(...parts);
  };
  addEventListener('error', ({ message }) => note('error: ' + message));
  addEventListener('unhandledrejection', ({ reason }) => note('rejection: ' + reason));
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    note('policy: ' + violatedDirective + ' ' + blockedURI),
  );
}`;

/** Runs before WATCH. Removes the APIs that Safari 16.4 or plain http lack. */
const AGE = `
  delete AbortSignal.any;
  for (const type of [Map, Object]) delete type.groupBy;
  for (const name of ['withResolvers', 'try']) delete Promise[name];
  for (const name of ['locks', 'wakeLock', 'share']) delete Navigator.prototype[name];
  for (const name of ['union', 'intersection', 'difference']) delete Set.prototype[name];
  for (const name of ['map', 'filter', 'some', 'toArray']) delete Iterator.prototype[name];
  delete Document.prototype.startViewTransition;
  delete Array.fromAsync;
  delete URL.canParse;
  delete window.trustedTypes;
`;

export type Network = {
  url: string;
  /** 404, 5xx, and other unexpected answers. */
  noise: string[];
  /**
   * How many requests wait for the end of their answer. Event streams, which do not end, are left
   * out.
   */
  pending(): number;
  /** Ends every connection and refuses new ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
};

/**
 * Starts a proxy in front of the server. It adds WATCH to each page and WATCH's hash to the policy,
 * and gives requests the server's host and origin. `older` also adds AGE, to imitate a browser of
 * 2023.
 */
export async function startNetwork(server: string, { older = false } = {}): Promise<Network> {
  const script = older ? AGE + WATCH : WATCH;
  const hash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  const port = await freePort();
  const address = newAddress();
  const noise: string[] = [];
  const sockets = new Set<Socket>();
  const pending = new Set<unknown>();
  const proxy = createServer((call, answer) => {
    pending.add(answer);
    answer.on('close', () => pending.delete(answer));
    const headers = {
      ...call.headers,
      host: new URL(server).host,
      ...(call.headers.origin === undefined ? {} : { origin: server }),
      'x-forwarded-for': address,
      'accept-encoding': 'identity',
    };
    const { method } = call;
    const onward = request(server + call.url, { method, headers }, async (back) => {
      const status = back.statusCode ?? 500;
      if (status >= 400 && ![400, 401, 403, 429].includes(status))
        noise.push(`${status} ${method} ${call.url}`);
      const type = back.headers['content-type'];
      if (type?.startsWith('text/event-stream')) pending.delete(answer);
      if (!type?.startsWith('text/html')) {
        answer.writeHead(status, back.headers);
        back.pipe(answer);
        return;
      }
      const policy = String(back.headers['content-security-policy'] ?? '')
        .replace('script-src', `$& ${hash}`)
        .replace(older ? /; require-trusted-types-for.*/ : '', '');
      const page = Buffer.concat(await back.toArray()).toString();
      const watched = page.replace('<head>', `<head><script>${script}</script>`);
      answer.writeHead(status, {
        ...back.headers,
        'content-length': Buffer.byteLength(watched),
        'content-security-policy': policy,
      });
      answer.end(watched);
    });
    // A phone may close the connection at any time.
    answer.on('close', () => onward.destroy());
    onward.on('error', () => answer.destroy());
    call.pipe(onward);
  });
  proxy.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const restore = async () => void (await once(proxy.listen(port, 'localhost'), 'listening'));
  await restore();
  return {
    url: `http://localhost:${port}`,
    noise,
    pending: () => pending.size,
    restore,
    cut: async () => {
      const closed = once(proxy.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
