import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from './app.ts';
import type { Config } from './config.ts';
import { offerCsrfToken } from './http.ts';

/** Where `npm run build` leaves the web app. */
const BUILT = join(import.meta.dirname, '../web/dist');
/** Paths that the browser's router knows; the same page answers any other with status 404. */
const SCREENS =
  /^\/(|login|signup|reset-password|auth\/google\/callback|profile|games|league|leaderboard|achievements|account|week|card|privacy|terms)$/;

/** The built web app: hashed assets for ever, the page itself asked for again each time (P33). */
export async function pageRoutes(app: App, config: Pick<Config, 'public_url'>): Promise<void> {
  if (!existsSync(BUILT)) return;
  const page = await readFile(join(BUILT, 'index.html'));
  await app.register(staticFiles, {
    root: BUILT,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes(`${BUILT}/assets/`);
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
  app.get('/*', { schema: { hide: true } }, (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (path.startsWith('/api/') || path.startsWith('/health/')) return reply.callNotFound();
    offerCsrfToken(request, reply, config.public_url);
    return reply
      .code(SCREENS.test(path) ? 200 : 404)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  });
}
