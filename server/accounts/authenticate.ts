import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { tooMany, unauthorized } from '../errors.ts';
import { sessionBuckets } from '../http/buckets.ts';
import { type Session, setSession } from '../http/caller.ts';
import { changesState } from '../http/requests.ts';
import { setActor } from '../http/security-log.ts';
import { sessionReader, userSessionReader } from './session-reader.ts';
import { accessTokens } from './tokens.ts';

/** A player's sessions together may call four times as often as one session (P39a). */
const PLAYER_TIMES = 4;

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * The hooks of the player and user scopes. Both read the bearer token's session (P4); `user` also
 * reads the session's user. They throw Refusal 401 without a token or a session, and 429 after too
 * many requests (P39a).
 */
export function authenticate({ config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>): {
  player: Hook;
  user: Hook;
} {
  const access = accessTokens(config);
  const spend = sessionBuckets();
  const by =
    (read: (sessionId: string) => Promise<Omit<Session, 'access_until'> | null>): Hook =>
    async (request, reply) => {
      const bearer = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
      const named = bearer === undefined ? null : access.read(bearer, clock.now());
      const writes = changesState(request.method);
      // Look at both limits before the session, so that a refused request costs no query. Ended
      // sessions must not use up what the player's open ones share.
      const wait_s =
        named === null
          ? 0
          : spend(named.session_id, writes) ||
            spend(`player ${named.player_id}`, writes, PLAYER_TIMES, true);
      if (named !== null) setActor(request, { actor: 'player', player: named.player_id });
      if (wait_s > 0) throw tooMany(wait_s, 'session');
      const session = named && (await read(named.session_id));
      if (!session || session.player_id !== named.player_id) {
        reply.header('www-authenticate', 'Bearer');
        throw unauthorized();
      }
      // Parallel requests may have used it up while the session was read.
      const shared_s = spend(`player ${session.player_id}`, writes, PLAYER_TIMES);
      if (shared_s > 0) throw tooMany(shared_s, 'session');
      setSession(request, { ...session, access_until: named.until });
    };
  return {
    player: by(sessionReader({ db, clock })),
    user: by(userSessionReader({ config, db, clock })),
  };
}
