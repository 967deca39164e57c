import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { tooMany, unauthorized } from '../errors.ts';
import { sessionBuckets } from '../http/buckets.ts';
import { setSession } from '../http/caller.ts';
import { changesState } from '../http/requests.ts';
import { setActor } from '../http/security-log.ts';
import { sessionReader, userSessionReader } from './session-reader.ts';
import { accessTokens } from './tokens.ts';

/**
 * Returns the authentication hook of the player scope. The hook requires a valid bearer token and
 * an open session (P4). It reads the session in one query, together with its user if the route's
 * config has `withUser`. It throws Refusal 401 without token or session, 429 when the session sends
 * too many requests (P39a).
 */
export function authenticate({ config, db, clock }: Pick<Deps, 'config' | 'db' | 'clock'>) {
  const access = accessTokens(config);
  const read = sessionReader({ db, clock });
  const readWithUser = userSessionReader({ config, db, clock });
  const spend = sessionBuckets();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const bearer = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const named = bearer === undefined ? null : access.read(bearer, clock.now());
    // Check the rate limit first, so that a refused request costs no query.
    const wait_s = named === null ? 0 : spend(named.session_id, changesState(request.method));
    if (named !== null) setActor(request, { actor: 'player', player: named.player_id });
    if (wait_s > 0) throw tooMany(wait_s, 'session');
    const reader = request.routeOptions.config.withUser === true ? readWithUser : read;
    const session = named && (await reader(named.session_id));
    if (!session || session.player_id !== named.player_id) {
      reply.header('www-authenticate', 'Bearer');
      throw unauthorized();
    }
    setSession(request, { ...session, access_until: named.until });
  };
}
