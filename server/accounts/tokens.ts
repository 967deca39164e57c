import { createHash, type KeyObject, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { createDecoder, createSigner, createVerifier } from 'fast-jwt';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { hmac, keysFor } from '../keys.ts';
import type { RefreshKeys } from './refresh-keys.ts';
import { claimsCache, perConfig } from './token-caches.ts';

export const ACCESS_LIFE_S = 10 * 60;
/** How far two hosts' clocks may differ (P1). */
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
const decode = createDecoder({ complete: true });
const kidOf = (key: KeyObject) =>
  createHash('sha256').update(key.export()).digest('base64url').slice(0, 11);

/** Access tokens (P1, P9). docs/operating.md says how to rotate SECRET_KEY. */
export const accessTokens = perConfig((config: Pick<Config, 'secret_keys' | 'public_url'>) => {
  const keys = keysFor(config, 'access');
  const sign = createSigner<Record<string, unknown>>({
    algorithm: 'HS256',
    key: keys[0].export(),
    header: { alg: 'HS256', typ: TYPE, kid: kidOf(keys[0]) },
  });
  const verifiers = new Map(
    keys.map((key) => [
      kidOf(key),
      createVerifier({
        key: key.export(),
        algorithms: ['HS256'],
        allowedIss: config.public_url,
        allowedAud: AUDIENCE,
        requiredClaims: ['iss', 'aud'],
        checkTyp: TYPE,
        // `read` compares the times with `now` (P10).
        ignoreExpiration: true,
        ignoreNotBefore: true,
      }),
    ]),
  );
  const cached = claimsCache<z.infer<typeof claims>>();
  return {
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
    /** The session that a token opens; null if it is forged or not valid at `now`. */
    read(token: string, now: Date): { player_id: number; session_id: string; until: Date } | null {
      try {
        const { sub, sid, iat, nbf, exp } = cached(token, () => {
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

const sealOf = (key: KeyObject, body: Buffer) => hmac(key, 'seal', body).subarray(0, SEAL_BYTES);

function refreshToken(key: KeyObject, sessionId: string, secret: Buffer): string {
  const body = Buffer.concat([Buffer.from(sessionId.replaceAll('-', ''), 'hex'), secret]);
  return PREFIX + Buffer.concat([body, sealOf(key, body)]).toString('base64url');
}

const successorBy = (key: KeyObject, token: string, sessionId: string) =>
  refreshToken(key, sessionId, hmac(key, 'successor', token));

/**
 * Refresh tokens (P2, P3): a session's id, 256 random bits and a seal (an HMAC). The seal proves
 * that Backboard issued the token. A made-up token therefore costs no statement (P17) and is not
 * mistaken for a stolen one.
 */
export const refreshTokens = perConfig(
  ({ keys, former }: Pick<RefreshKeys, 'keys' | 'former'>) => ({
    make: (sessionId: string) => refreshToken(keys[0], sessionId, randomBytes(SECRET_BYTES)),
    /** The successor of `token`. It is always the same, also for a second use within the window. */
    successor: (token: string, sessionId: string): string => successorBy(keys[0], token, sessionId),
    /** The successors by all keys: the current one's first, then those of replaced keys. */
    everySuccessor: (token: string, sessionId: string): string[] =>
      [...keys, ...former].map((key) => successorBy(key, token, sessionId)),
    /** The session that a token names, and whether the seal is valid; null if malformed. */
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
  }),
);
