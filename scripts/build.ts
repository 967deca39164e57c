import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  copyFile,
  glob,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { refuseInline } from './inline.ts';

const ROOT = join(import.meta.dirname, '..');
type Build = {
  built: string;
  stamp: string;
  sources: string[];
  make(draft: string): Promise<void>;
};

const WEB: Build = {
  built: join(ROOT, 'web/dist'),
  stamp: join(ROOT, '.cache/web-build'),
  sources: [
    '{brand,web}/**/*.*',
    'contract/{rules,wire}/*.ts',
    'vite.config.ts',
    'scripts/{build,pages,service-worker}.ts',
    'package-lock.json',
  ],
  make: async (draft) => {
    await run('vite', ['build', '--outDir', draft, '--manifest', '--logLevel', 'warn']);
    await run('node', ['scripts/pages.ts', draft]);
    // The worker lists the files of the steps above.
    await run('node', ['scripts/service-worker.ts', draft]);
    await compress(draft);
  },
};

/** The staff's console (decision 082). */
const CONSOLE: Build = {
  built: join(ROOT, 'console/dist'),
  stamp: join(ROOT, '.cache/console-build'),
  sources: [
    '{brand,console}/**/*.*',
    'web/{styles,ui}/**/*.*',
    'web/public/favicon.svg',
    'contract/{rules,wire}/*.ts',
    'vite.console.config.ts',
    'scripts/build.ts',
    'package-lock.json',
  ],
  make: async (draft) => {
    const config = ['--config', 'vite.console.config.ts'];
    await run('vite', ['build', ...config, '--outDir', draft, '--logLevel', 'warn']);
    await compress(draft);
  },
};

/** The development page that acts as a machine (decision 088). */
const COURT: Build = {
  built: join(ROOT, 'court/dist'),
  stamp: join(ROOT, '.cache/court-build'),
  sources: [
    '{brand,court}/**/*.*',
    'web/{avatar,styles,ui}/**/*.*',
    'cabinet/client/{call,sender}.ts',
    'contract/{rules,wire}/*.ts',
    'scripts/build.ts',
    'package-lock.json',
  ],
  make: (draft) => run('vite', ['build', 'court', '--outDir', draft, '--logLevel', 'warn']),
};
/** A television's page (decision 086). */
const SCREEN: Build = {
  built: join(ROOT, 'screen/dist'),
  stamp: join(ROOT, '.cache/screen-build'),
  sources: [
    'brand/**/*.*',
    'screen/*.*',
    'screen/styles/*.*',
    'contract/{rules,wire}/*.ts',
    'scripts/{build,screen}.ts',
    'package-lock.json',
  ],
  make: async (draft) => {
    await run('node', ['scripts/screen.ts', draft]);
    await compress(draft);
  },
};
/** Compressing smaller files saves no packet. */
const SMALL = 1024;

async function fingerprint({ sources }: Build): Promise<string> {
  const paths: string[] = [];
  for await (const path of glob(sources, { cwd: ROOT, exclude: ['*/dist/**', '**/*.test.*'] }))
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

/** How long the files of earlier builds stay, for pages that were opened before an update. */
const EARLIER_MS = 7 * 24 * 3_600_000;

/**
 * Copies the scripts and styles of the build in `built`, and deletes copies older than
 * `EARLIER_MS`.
 */
async function keepEarlier(built: string): Promise<void> {
  const kept = join(ROOT, '.cache/earlier', basename(dirname(built)), 'assets');
  await mkdir(kept, { recursive: true });
  for (const name of await readdir(kept))
    if (Date.now() - (await stat(join(kept, name))).mtimeMs > EARLIER_MS)
      await rm(join(kept, name));
  // A copied file's time is the time of the update.
  for (const name of await readdir(join(built, 'assets')).catch(() => []))
    await copyFile(join(built, 'assets', name), join(kept, name));
}

/**
 * Runs a build unless its folder is up to date. Renames the finished folder into place: a server
 * never starts with half of it.
 */
async function build(one: Build, { force = false } = {}): Promise<void> {
  const { built, stamp, make } = one;
  const wanted = await fingerprint(one);
  const last = await readFile(stamp, 'utf8').catch(() => '');
  if (!force && last === wanted && existsSync(join(built, 'index.html'))) return;
  const draft = `${built}-${process.pid}`;
  await make(draft);
  await refuseInline(draft, one === WEB);
  await keepEarlier(built);
  const old = `${draft}-old`;
  await rename(built, old).catch(() => undefined);
  await rename(draft, built);
  await rm(old, { recursive: true, force: true });
  await mkdir(join(ROOT, '.cache'), { recursive: true });
  await writeFile(stamp, wanted);
}

export async function buildWeb(options?: { force?: boolean }): Promise<void> {
  await build(WEB, options);
  await build(CONSOLE, options);
  await build(SCREEN, options);
}

/** Builds the court into court/dist, but not in production (P46). */
export async function buildCourt(options?: { force?: boolean }): Promise<void> {
  if (process.env.NODE_ENV !== 'production') await build(COURT, options);
}

if (import.meta.main) {
  await buildWeb({ force: true });
  await buildCourt({ force: true });
  await run('node', ['scripts/budget.ts']);
  await run('node', ['scripts/old-browsers.ts']);
}
