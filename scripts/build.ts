import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'web/dist');
const STAMP = join(ROOT, '.cache/web-build');
const SOURCES = [
  'web/**/*.*',
  'contract/*.ts',
  'vite.config.ts',
  'scripts/{build,pages,service-worker}.ts',
  'package-lock.json',
];
/** Files smaller than this, in bytes, are not compressed: it would save no packet. */
const SMALL = 1024;

/** Returns a hash of all files that the build reads. The same hash means the same web app. */
async function fingerprint(): Promise<string> {
  const paths: string[] = [];
  for await (const path of glob(SOURCES, { cwd: ROOT, exclude: ['web/dist/**', '**/*.test.*'] }))
    paths.push(path);
  const hash = createHash('sha256');
  for (const path of paths.sort())
    hash.update(`${path}\0`).update(await readFile(join(ROOT, path)));
  return hash.digest('hex');
}

function run(command: string, args: string[]): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit' });
    child.on('error', fail);
    child.on('exit', (code) =>
      code === 0 ? done() : fail(new Error(`${command} ${args.join(' ')} exited with ${code}`)),
    );
  });
}

/** Writes a Brotli and a gzip copy beside each text file, so that requests need not compress. */
async function compress(folder: string): Promise<void> {
  for await (const path of glob('**/*.{js,css,html,svg,webmanifest}', { cwd: folder })) {
    const file = join(folder, path);
    const text = await readFile(file);
    if (text.length < SMALL) continue;
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    await writeFile(`${file}.br`, brotliCompressSync(text, { params: quality }));
    await writeFile(`${file}.gz`, gzipSync(text, { level: 9 }));
  }
}

/**
 * Builds the web app into web/dist unless it is up to date. The finished folder is renamed into
 * place, so that a server that starts during the build never sees an incomplete one.
 */
export async function buildWeb({ force = false } = {}): Promise<void> {
  const wanted = await fingerprint();
  const built = await readFile(STAMP, 'utf8').catch(() => '');
  if (!force && built === wanted && existsSync(join(BUILT, 'index.html'))) return;
  const draft = `${BUILT}-${process.pid}`;
  await run('vite', ['build', '--outDir', draft, '--manifest', '--logLevel', 'warn']);
  await run('node', ['scripts/pages.ts', draft]);
  // Make the service worker after the steps above, because it lists the files that they write.
  await run('node', ['scripts/service-worker.ts', draft]);
  await compress(draft);
  const old = `${draft}-old`;
  await rename(BUILT, old).catch(() => undefined);
  await rename(draft, BUILT);
  await rm(old, { recursive: true, force: true });
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  await writeFile(STAMP, wanted);
}

if (import.meta.main) {
  await buildWeb({ force: true });
  await run('node', ['scripts/budget.ts']);
}
