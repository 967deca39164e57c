import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createDecoder, createSigner, createVerifier } from 'fast-jwt';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { hmac, keysFor } from '../keys.ts';

/** P1 */
export const ACCESS_LIFE_S = 10 * 60;
/** P1: how far ahead of ours the clock of the process that signed may be. */
const LEEWAY_S = 30;
const AUDIENCE = 'backboard-api';
const TYPE = 'at+jwt';

const claims = z.object({
  sub: z.string(),
  sid: z.guid(),
  jti: z.string(),
  iat: z.number(),
  nbf: z.number(),
  exp: z.number(),
});
type Claims = z.infer<typeof claims>;
const decode = createDecoder({ complete: true });
const kidOf = (key: Buffer) => createHash('sha256').update(key).digest('base64url').slice(0, 11);

/** What is made of a configuration, once; else each renewal would take 1.3 times as long. */
function perConfig<C extends object, T>(make: (config: C) => T): (config: C) => T {
  const made = new WeakMap<C, T>();
  return (config) => {
    const known = made.get(config);
    if (known !== undefined) return known;
    const fresh = make(config);
    made.set(config, fresh);
    return fresh;
  };
}

/** How many tokens are remembered at least; some 600 bytes each. */
const REMEMBERED = 10_000;

/**
 * The claims of tokens whose signature was right. A phone calls several times with the same token,
 * and not to check the signature again makes 1.3 times as many reads of a profile a second. What may
 * change is not remembered: the times are compared at each call, and the session's row is read (P4).
 */
function rememberClaims() {
  let recent = new Map<string, Claims>();
  let older = new Map<string, Claims>();
  return (token: string, verify: () => Claims): Claims => {
    const known = recent.get(token);
    if (known !== undefined) return known;
    const found = older.get(token) ?? verify();
    if (recent.size >= REMEMBERED) {
      older = recent;
      recent = new Map();
    }
    recent.set(token, found);
    return found;
  };
}

/**
 * Access tokens (P1, P9): JWTs by HS256 and by nothing else. A token names its key by `kid`; headers
 * that point to keys elsewhere are not read. To rotate, put the new SECRET_KEY before the old one,
 * and take the old one away after 15 minutes.
 */
export const accessTokens = perConfig((config: Pick<Config, 'secret_keys' | 'public_url'>) => {
  const keys = keysFor(config, 'access');
  const sign = createSigner<Record<string, unknown>>({
    algorithm: 'HS256',
    key: keys[0],
    header: { alg: 'HS256', typ: TYPE, kid: kidOf(keys[0]) },
  });
  const verifiers = new Map(
    keys.map((key) => [
      kidOf(key),
      createVerifier({
        key,
        algorithms: ['HS256'],
        allowedIss: config.public_url,
        allowedAud: AUDIENCE,
        requiredClaims: ['iss', 'aud'],
        checkTyp: TYPE,
        // Times are compared below with the database's clock (P10), each with its own leeway.
        ignoreExpiration: true,
        ignoreNotBefore: true,
      }),
    ]),
  );
  const remember = rememberClaims();
  return {
    /** A token for one session of one player, good for 10 minutes from `now`. */
    make(playerId: number, sessionId: string, now: Date): string {
      const iat = Math.floor(now.getTime() / 1000);
      return sign({
        iss: config.public_url,
        aud: AUDIENCE,
        sub: String(playerId),
        sid: sessionId,
        iat,
        nbf: iat,
        exp: iat + ACCESS_LIFE_S,
        jti: randomUUID(),
      });
    },
    /** Whose session a token opens, or null when it is not ours or not of this moment. */
    read(token: string, now: Date): { player_id: number; session_id: string; until: Date } | null {
      try {
        const { sub, sid, iat, nbf, exp } = remember(token, () => {
          const verifier = verifiers.get(String(decode(token).header.kid));
          return claims.parse(verifier?.(token));
        });
        const s = now.getTime() / 1000;
        if (s >= exp || s < iat - LEEWAY_S || s < nbf - LEEWAY_S) return null;
        return { player_id: Number(sub), session_id: sid, until: new Date(exp * 1000) };
      } catch {
        return null;
      }
    },
  };
});

const PREFIX = 'bbr_';
const SESSION_BYTES = 16;
const SECRET_BYTES = 32;
const SEAL_BYTES = 16;
const REFRESH_FORM = new RegExp(
  `^${PREFIX}[\\w-]{${Math.ceil(((SESSION_BYTES + SECRET_BYTES + SEAL_BYTES) * 4) / 3)}}$`,
);

/** Only this is stored of a refresh token (P2). */
export const hashOf = (token: string) => createHash('sha256').update(token).digest();

const sealOf = (key: Buffer, body: Buffer) => hmac(key, 'seal', body).subarray(0, SEAL_BYTES);

function refreshToken(key: Buffer, sessionId: string, secret: Buffer): string {
  const body = Buffer.concat([Buffer.from(sessionId.replaceAll('-', ''), 'hex'), secret]);
  return PREFIX + Buffer.concat([body, sealOf(key, body)]).toString('base64url');
}

/**
 * Refresh tokens (P2, P3): opaque to clients; inside are the session's id, 256 random bits, and a
 * seal. What opens a session is the stored hash alone. The seal only tells a token that this server
 * once gave out, whose reuse is a theft, from one that somebody made up.
 */
export const refreshTokens = perConfig((config: Pick<Config, 'secret_keys'>) => {
  const keys = keysFor(config, 'refresh');
  return {
    make: (sessionId: string) => refreshToken(keys[0], sessionId, randomBytes(SECRET_BYTES)),
    /**
     * The tokens that may follow `token`, one for each key: derived, so that a second use within
     * the reuse window gets the same successor although only hashes are stored.
     */
    successors: (token: string, sessionId: string): [string, ...string[]] => {
      const next = (key: Buffer) => refreshToken(key, sessionId, hmac(key, 'successor', token));
      const [first, ...older] = keys;
      return [next(first), ...older.map(next)];
    },
    /** The session that a token names, and whether it carries our seal; null: not of our form. */
    read(token: string): { session_id: string; sealed: boolean } | null {
      if (!REFRESH_FORM.test(token)) return null;
      const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
      const body = bytes.subarray(0, SESSION_BYTES + SECRET_BYTES);
      const seal = bytes.subarray(SESSION_BYTES + SECRET_BYTES);
      const hex = body.subarray(0, SESSION_BYTES).toString('hex');
      return {
        session_id: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
        sealed: keys.some((key) => timingSafeEqual(sealOf(key, body), seal)),
      };
    },
  };
});
