import { courtKey, courtSetup } from '#contract/wire/court.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { fileOf, readBuild, serveFiles } from '../http/files.ts';
import { COURT_HEADERS } from '../http/headers.ts';
import { hasDevelopmentPages, localOnly } from '../http/local.ts';
import type { App } from '../http/scope.ts';
import { issueKey, readSetup } from './court.ts';

const PAGE = 'index.html';

/**
 * `/dev/court`, a machine in the browser (MACH-20). It is missing in production and with SMTP_URL,
 * and answers only callers on this computer (P46).
 */
export async function courtRoutes(
  app: App,
  deps: Pick<Deps, 'config' | 'db' | 'clock'>,
): Promise<void> {
  if (!hasDevelopmentPages(deps.config)) return;
  const options = { schema: { hide: true }, onRequest: localOnly('The court') };

  const files = await readBuild('court');
  if (files) serveFiles(app, files, '/dev/court/', { ...options, except: (path) => path === PAGE });
  app.get('/dev/court', options, async (_request, reply) => {
    if (files === null) throw notFound('The court is not built. Run `npm run build`.');
    return reply.headers(COURT_HEADERS).type('text/html; charset=utf-8').send(fileOf(files, PAGE));
  });

  app.get('/dev/court/*', options, async () => {
    throw notFound('The court has no such file.');
  });

  app.get(
    '/dev/court/setup/',
    { ...options, schema: { hide: true, response: { 200: courtSetup } } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return readSetup(deps.db);
    },
  );

  app.post(
    '/dev/court/key/',
    { ...options, schema: { hide: true, response: { 200: courtKey } } },
    async (_request, reply) => {
      reply.header('cache-control', 'no-store');
      return { key: await issueKey(deps) };
    },
  );
}
