import { courtKey, courtSetup } from '#contract/wire/court.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../errors.ts';
import { fileOf, readBuild, serveFiles } from '../http/files.ts';
import { hasDevelopmentPages, localOnly } from '../http/local.ts';
import type { App } from '../http/scope.ts';
import { issueKey, readSetup } from './court.ts';

const PAGE = 'index.html';
/** The policy of P32, without forms, frames, workers and manifests. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
/** Only this page may use the camera (P33), to scan codes. */
const PERMISSIONS =
  'accelerometer=(), camera=(self), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()';

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
    return reply
      .header('content-security-policy', PAGE_POLICY)
      .header('permissions-policy', PERMISSIONS)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(fileOf(files, PAGE));
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
