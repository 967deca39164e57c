/**
 * A bare Fastify server: the upper limit for ours. `/profile` checks an HS256 token, `/plain` does
 * not; `/league` also runs our SQL; `/refresh` does the cryptography of a token rotation.
 */

import { createHash, createHmac, createSecretKey, randomUUID, timingSafeEqual } from 'node:crypto';
import { createSigner, createVerifier } from 'fast-jwt';
import Fastify, { type FastifyRequest } from 'fastify';
import pg from 'pg';
import { PLANNER } from '../postgres.ts';

const { PORT, SECRET = '', PROFILE = '{}', REFRESH_KEY = '' } = process.env;
const { LEAGUE = '{}', STATEMENT = '', DATABASE_URL, PLAYERS = '1', BATCH = '1' } = process.env;
const profile = JSON.parse(PROFILE);
const league = JSON.parse(LEAGUE);
const verify = createVerifier({ key: SECRET, algorithms: ['HS256'] });
const sign = createSigner({ key: SECRET, algorithm: 'HS256' });

const key = createSecretKey(REFRESH_KEY, 'hex');
const hmac = (...parts: (string | Buffer)[]) => {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(`${Buffer.byteLength(part)}:`).update(part);
  return mac.digest();
};
const hashOf = (text: string) => createHash('sha256').update(text).digest();
const PREFIX = 'bbr_';
const [SESSION_BYTES, BODY_BYTES, SEAL_BYTES] = [16, 48, 16];
const sealOf = (body: Buffer) => hmac('seal', body).subarray(0, SEAL_BYTES);

const current = new Map<string, Buffer>();

function isSignedIn({ headers }: FastifyRequest): boolean {
  try {
    verify((headers.authorization ?? '').slice('Bearer '.length));
    return true;
  } catch {
    return false;
  }
}
const REFUSAL = { detail: 'Sign in again.' };

/** The same number as READ_AT_ONCE in server/leagues/this-week.ts. */
const CONCURRENCY = 3;
const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: CONCURRENCY,
  options: PLANNER,
});
type Reader = { player: number; done: () => void };
const waiting: Reader[] = [];
let running = 0;
let scheduled = false;

function readWeeks(): void {
  scheduled = false;
  while (running < CONCURRENCY && waiting.length > 0) {
    const batch = waiting.splice(0, Number(BATCH));
    running += 1;
    void runStatement(batch.map(({ player }) => player)).then(() => {
      running -= 1;
      for (const { done } of batch) done();
      schedule();
    });
  }
}

function schedule(): void {
  if (!scheduled) setImmediate(readWeeks);
  scheduled = true;
}

async function runStatement(players: number[]): Promise<void> {
  const monday = new Date();
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
  const values = [['UTC'], [monday.toISOString().slice(0, 10)], players];
  const { rows } = await pool.query({ name: 'league', text: STATEMENT, values });
  if (rows.length !== new Set(players).size) throw new Error(`${rows.length} rows`);
}

let player = 0;

const app = Fastify();
app.get('/plain', async () => profile);
app.get('/profile', async (request, reply) =>
  isSignedIn(request) ? profile : reply.code(401).send(REFUSAL),
);
app.get('/league', async (request, reply) => {
  if (!isSignedIn(request)) return reply.code(401).send(REFUSAL);
  // Stride through the players, so that a batch has players of different teams.
  player = (player + 7_919) % Number(PLAYERS);
  await new Promise<void>((done) => {
    waiting.push({ player: player + 1, done });
    schedule();
  });
  return league;
});
app.post<{ Body: { refresh: string } }>('/refresh', async ({ body: { refresh } }, reply) => {
  const bytes = Buffer.from(refresh.slice(PREFIX.length), 'base64url');
  const [body, seal] = [bytes.subarray(0, BODY_BYTES), bytes.subarray(BODY_BYTES)];
  const session = body.toString('hex', 0, SESSION_BYTES);
  const hash = hashOf(refresh);
  if (!timingSafeEqual(sealOf(body), seal) || !(current.get(session) ?? hash).equals(hash))
    return reply.code(401).send({ detail: 'Sign in again.' });
  const next = Buffer.concat([body.subarray(0, SESSION_BYTES), hmac('successor', refresh)]);
  const successor = PREFIX + Buffer.concat([next, sealOf(next)]).toString('base64url');
  const iat = Math.floor(Date.now() / 1000);
  const access = sign({
    iss: 'http://127.0.0.1',
    aud: 'backboard-api',
    sub: '1234',
    sid: session,
    iat,
    nbf: iat,
    exp: iat + 600,
    jti: randomUUID(),
  });
  current.set(session, hashOf(successor));
  return { access, refresh: successor };
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
