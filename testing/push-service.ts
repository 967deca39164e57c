import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, LookupFunction, Socket } from 'node:net';

/*
 * A fake of a browser maker's push service for tests, over TLS. It checks the token and decrypts
 * with WebCrypto, so it shares no code and no library with the server's sender.
 */

/** Only tests trust this pair, which is valid for the names below. */
const KEY = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIP41bEonbPz4uS5uZ8vJuzUjJsZBhRqjWFr/J+AXsOFAoAoGCCqGSM49
AwEHoUQDQgAEHPL7S32ZbzZT37gT1SUUIvXJ7zXwhz1I5wfvYF1zAh36nwhW1t9K
CEbmAjPXRs0LaAB8oJGGkfg9h/0mbrfxGA==
-----END EC PRIVATE KEY-----`;
export const PUSH_CA = `-----BEGIN CERTIFICATE-----
MIIB0DCCAXagAwIBAgIBATAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVQdXNoIHNl
cnZpY2Ugb2YgdGVzdHMwIBcNMjQwMTAxMDAwMDAwWhgPMjEyNDAxMDEwMDAwMDBa
MCAxHjAcBgNVBAMMFVB1c2ggc2VydmljZSBvZiB0ZXN0czBZMBMGByqGSM49AgEG
CCqGSM49AwEHA0IABBzy+0t9mW82U9+4E9UlFCL1ye818Ic9SOcH72BdcwId+p8I
VtbfSghG5gIz10bNC2gAfKCRhpH4PYf9Jm638RijgZ4wgZswaQYDVR0RBGIwYIIS
ZmNtLmdvb2dsZWFwaXMuY29tghJ3ZWIucHVzaC5hcHBsZS5jb22CIXVwZGF0ZXMu
cHVzaC5zZXJ2aWNlcy5tb3ppbGxhLmNvbYITc2xvdy5wdXNoLmFwcGxlLmNvbTAP
BgNVHRMBAf8EBTADAQH/MB0GA1UdDgQWBBR2uDF9Nbl0cvLlfEm3d8IPwXwkHDAK
BggqhkjOPQQDAgNIADBFAiEAjDeaA3xOTarKjOE5CCSTvrY7d34YNdE8UHf7v5Ji
nbcCIFlZo8xuy6TngDZAKAsIZJUnN+vZHKhTU6KrwyowKEE5
-----END CERTIFICATE-----`;

const { subtle } = webcrypto;
const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const utf8 = (text: string) => new TextEncoder().encode(text);
const base64url = (bytes: ArrayBuffer | Uint8Array) =>
  Buffer.from(bytes as Uint8Array).toString('base64url');
const decoded = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
const joined = (...parts: (Uint8Array | number[])[]) =>
  new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array))));

/** A browser's subscription, with what only the browser knows. */
export type PushReceiver = {
  endpoint: string;
  p256dh: string;
  auth: string;
  privateKey: webcrypto.CryptoKey;
};

export async function receiverOf(
  endpoint: string,
  jwk?: webcrypto.JsonWebKey,
  auth?: string,
): Promise<PushReceiver> {
  const pair = await subtle.generateKey(CURVE, true, ['deriveBits']);
  const privateKey = jwk
    ? await subtle.importKey('jwk', jwk, CURVE, true, ['deriveBits'])
    : pair.privateKey;
  const point = jwk
    ? joined([4], decoded(jwk.x ?? ''), decoded(jwk.y ?? ''))
    : await subtle.exportKey('raw', pair.publicKey);
  return {
    endpoint,
    p256dh: base64url(point),
    auth: auth ?? base64url(webcrypto.getRandomValues(new Uint8Array(16))),
    privateKey,
  };
}

async function hkdf(salt: Uint8Array, secret: Uint8Array, info: Uint8Array, bytes: number) {
  const key = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  return new Uint8Array(
    await subtle.deriveBits(
      { name: 'HKDF', hash: 'SHA-256', salt: salt, info: info },
      key,
      8 * bytes,
    ),
  );
}

/** Decrypts one record of RFC 8188 by the keys of RFC 8291. @throws Error if it is not for us */
export async function decrypt(receiver: PushReceiver, body: Uint8Array): Promise<string> {
  const salt = body.slice(0, 16);
  const idLength = body[20] ?? 0;
  const sender = body.slice(21, 21 + idLength);
  const cipher = body.slice(21 + idLength);
  const theirs = await subtle.importKey('raw', sender, CURVE, false, []);
  const shared = new Uint8Array(
    await subtle.deriveBits({ name: 'ECDH', public: theirs }, receiver.privateKey, 256),
  );
  const info = joined(utf8('WebPush: info\0'), decoded(receiver.p256dh), sender);
  const secret = await hkdf(decoded(receiver.auth), shared, info, 32);
  const key = await hkdf(salt, secret, utf8('Content-Encoding: aes128gcm\0'), 16);
  const nonce = await hkdf(salt, secret, utf8('Content-Encoding: nonce\0'), 12);
  const opened = await subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  const padded = new Uint8Array(
    await subtle.decrypt({ name: 'AES-GCM', iv: nonce }, opened, cipher),
  );
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (padded[end] !== 2) throw new Error('the last record must end with a 2');
  return new TextDecoder().decode(padded.subarray(0, end));
}

/** Checks a token of RFC 8292. @returns its claims and the key @throws Error for a bad one */
export async function checkToken(authorization: string, origin: string, now = Date.now()) {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const verifying = await subtle.importKey(
    'raw',
    decoded(key),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['verify'],
  );
  const genuine = await subtle.verify(
    { name: 'ECDSA', hash: 'SHA-256' },
    verifying,
    decoded(signature),
    utf8(`${head}.${claims}`),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString());
  const left = exp - now / 1000;
  if (!genuine || alg !== 'ES256' || aud !== origin || left <= 0 || left > 24 * 3600)
    throw new Error('the token is not valid');
  return { sub: String(sub), key };
}

/** `silence` never answers; `flood` answers 201 with 100 MB; a function writes the answer. */
type Reply = number | 'silence' | 'reset' | 'flood' | ((answer: ServerResponse) => void);

export type PushedMessage = {
  endpoint: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read parts of it
  message: any;
  ttl: number;
  topic: string;
  urgency: string;
  bytes: number;
  /** The server's public key. */
  key: string;
};

export type PushService = {
  port: number;
  /** Resolves every name to this service. */
  lookup: LookupFunction;
  ca: string;
  /** Adds a browser. */
  subscribe(host?: string): Promise<PushReceiver>;
  received: PushedMessage[];
  /** The number of bytes of `flood` that callers have taken. */
  flooded: number;
  /** What was wrong with refused requests. */
  wrong: string[];
  /** The reply to a message; by default 201. */
  reply: (endpoint: string, nth: number) => Reply;
  close(): Promise<void>;
};

let subscriptions = 0;

export const everyNameHere: LookupFunction = (_host, options, done) => {
  if (options.all) done(null, [{ address: '127.0.0.1', family: 4 }]);
  else done(null, '127.0.0.1', 4);
};

export async function startPushService(now: () => number = Date.now): Promise<PushService> {
  const receivers = new Map<string, PushReceiver>();
  const received: PushedMessage[] = [];
  const wrong: string[] = [];
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();

  async function take(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const endpoint = `https://${request.headers.host}${request.url}`;
    const nth = (counts.get(endpoint) ?? 0) + 1;
    counts.set(endpoint, nth);
    try {
      const receiver = receivers.get(endpoint);
      if (receiver === undefined) throw new Error(`no such subscription: ${endpoint}`);
      const { headers } = request;
      if (headers['content-encoding'] !== 'aes128gcm') throw new Error('not aes128gcm');
      const origin = `https://${request.headers.host}`;
      const { key } = await checkToken(String(headers.authorization), origin, now());
      const body = Buffer.concat(chunks);
      const message = JSON.parse(await decrypt(receiver, body));
      const { ttl, topic, urgency } = headers;
      received.push({
        endpoint,
        message,
        ttl: Number(ttl),
        topic: String(topic),
        urgency: String(urgency),
        bytes: body.length,
        key,
      });
    } catch (error) {
      wrong.push(String(error));
      answer.writeHead(400).end();
      return;
    }
    const reply = service.reply(endpoint, nth);
    if (reply === 'silence') return;
    if (reply === 'reset') return void request.socket.destroy();
    if (typeof reply === 'function') return reply(answer);
    if (reply !== 'flood') return void answer.writeHead(reply).end();
    answer.writeHead(201);
    const part = Buffer.alloc(64 * 1024);
    for (let sent = 0; sent < 100 * 1024 * 1024 && !answer.destroyed; sent += part.length) {
      service.flooded = sent;
      if (!answer.write(part)) await Promise.race([once(answer, 'drain'), once(answer, 'close')]);
    }
    answer.end();
  }

  const server = createServer({ key: KEY, cert: PUSH_CA }, (request, answer) => {
    take(request, answer).catch((error: unknown) => wrong.push(String(error)));
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service: PushService = {
    port: (server.address() as AddressInfo).port,
    lookup: everyNameHere,
    ca: PUSH_CA,
    subscribe: async (host = 'fcm.googleapis.com') => {
      const receiver = await receiverOf(`https://${host}/push/${++subscriptions}`);
      receivers.set(receiver.endpoint, receiver);
      return receiver;
    },
    received,
    flooded: 0,
    wrong,
    reply: () => 201,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
  return service;
}
