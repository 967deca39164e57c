import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { fileOf, readBuild, serveFiles } from './files.ts';
import type { App } from './scope.ts';

async function makeRoot(files: Record<string, string | Buffer>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'backboard-files-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

async function serve(root: string) {
  const files = await readBuild('web', root);
  if (files === null) throw new Error('not built');
  const app = Fastify() as unknown as App;
  serveFiles(app, files, '/', { except: (path) => path.endsWith('.html') });
  return { files, get: (url: string, headers = {}) => app.inject({ url, headers }) };
}

test('PROD-162: a process serves its own build after the files on disk are gone', async () => {
  const root = await makeRoot({
    'web/dist/index.html': '<script src="/assets/app-1.js">',
    'web/dist/assets/app-1.js': 'one()',
    '.cache/earlier/web/assets/app-0.js': 'zero()',
  });
  const { files, get } = await serve(root);
  await rm(join(root, 'web/dist'), { recursive: true });
  await rm(join(root, '.cache'), { recursive: true });
  expect(fileOf(files, 'index.html').toString()).toContain('app-1.js');
  expect((await get('/assets/app-1.js')).body).toBe('one()');
  expect((await get('/assets/app-0.js')).body, 'of the build before').toBe('zero()');
  const missing = await get('/assets/app-2.js');
  expect([missing.statusCode, missing.headers['cache-control']]).toEqual([404, 'no-store']);
  expect((await get('/index.html')).statusCode).toBe(404);
});

test('PROD-162: a process also serves the scripts of a newer build on disk', async () => {
  const root = await makeRoot({
    'web/dist/assets/app-1.js': 'one()',
    'web/dist/sw.js': 'worker()',
  });
  const { get } = await serve(root);
  await writeFile(join(root, 'web/dist/assets/app-2.js'), 'two()');
  await writeFile(join(root, 'web/dist/assets/app-1.js'), 'other()');
  expect((await get('/assets/app-2.js')).body).toBe('two()');
  expect((await get('/assets/app-1.js')).body).toBe('one()');
  for (const name of ['..%2fsw.js', '%2e%2e%2fsw.js', 'app-3.js', 'app-2', 'app-2.js%00'])
    expect([name, (await get(`/assets/${name}`)).statusCode]).toEqual([name, 404]);
});

test('P33: hashed files are immutable, others are revalidated', async () => {
  const root = await makeRoot({
    'web/dist/sw.js': 'worker()',
    'web/dist/sw.js.gz': gzipSync('worker()'),
    'web/dist/assets/app-1.js': 'one()',
  });
  const { get } = await serve(root);
  expect((await get('/assets/app-1.js')).headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
  });
  const worker = await get('/sw.js', { 'accept-encoding': 'gzip, br' });
  expect(worker.headers).toMatchObject({
    'cache-control': 'no-cache',
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
  });
  expect(gunzipSync(worker.rawPayload).toString()).toBe('worker()');
  const again = await get('/sw.js', { 'if-none-match': worker.headers.etag });
  expect([again.statusCode, again.body]).toEqual([304, '']);
});

test('an app that is not built has no files', async () => {
  expect(await readBuild('web', await makeRoot({}))).toBeNull();
});
