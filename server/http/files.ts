import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../errors.ts';
import { type Compressed, negotiate } from './compressed.ts';
import { CACHED_FOR_GOOD } from './headers.ts';
import type { App } from './scope.ts';

const ROOT = join(import.meta.dirname, '../..');
const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};
/** The build names these files after their content. */
const isHashed = (path: string) => path.startsWith('assets/');

/** The files of one build by path, such as `assets/index-B2a5.js`. `folder`: the build on disk. */
export type BuiltFiles = ReadonlyMap<string, Compressed> & { folder: string };

async function addFiles(files: Map<string, Compressed>, folder: string): Promise<void> {
  for await (const path of glob('**/*', { cwd: folder })) {
    if (TYPES[extname(path)] === undefined || files.has(path)) continue;
    const read = (ending = '') => readFile(join(folder, path + ending)).catch(() => undefined);
    const plain = await read();
    const [br, gzip] = [await read('.br'), await read('.gz')];
    if (plain) files.set(path, { plain, ...(br && { br }), ...(gzip && { gzip }) });
  }
}

/**
 * Reads the build of a room such as `web` into memory, so that a process serves one build until it
 * ends, whatever happens on the disk (PROD-162). Adds the files of earlier builds, which a page
 * that was opened before an update may request (scripts/build.ts). Null if the room is not built.
 */
export async function readBuild(room: string, root = ROOT): Promise<BuiltFiles | null> {
  const built = join(root, room, 'dist');
  if (!existsSync(built)) return null;
  const files = new Map<string, Compressed>();
  await addFiles(files, built);
  await addFiles(files, join(root, '.cache/earlier', room));
  return Object.assign(files, { folder: built });
}

/**
 * @throws Error if the build lacks the file
 */
export function fileOf(files: BuiltFiles, path: string): Buffer {
  const file = files.get(path);
  if (file === undefined) throw new Error(`The build has no ${path}. Run \`npm run build\`.`);
  return file.plain;
}

type FileOptions = {
  /** Whether a file gets no route. */
  except?: (path: string) => boolean;
  /** Headers for a file. */
  headers?: (path: string) => Record<string, string>;
  onRequest?: (request: FastifyRequest) => Promise<void>;
};

/**
 * Serves a build's files below `prefix`. Hashed files are immutable (P33). A hashed file that is
 * only on disk comes from a newer build: another process has started with that build, and its pages
 * may request the file from this process (PROD-162).
 */
export function serveFiles(
  app: App,
  files: BuiltFiles,
  prefix: string,
  { except = () => false, headers = () => ({}), onRequest }: FileOptions = {},
): void {
  for (const [path, file] of files) {
    if (except(path)) continue;
    const type = TYPES[extname(path)] ?? '';
    const more = headers(path);
    const etag = `"${createHash('sha256').update(file.plain).digest('base64url').slice(0, 22)}"`;
    app.get(
      `${prefix}${path}`,
      { schema: { hide: true }, ...(onRequest && { onRequest }) },
      async (request: FastifyRequest, reply: FastifyReply) => {
        reply
          .headers(more)
          .header('cache-control', isHashed(path) ? CACHED_FOR_GOOD : 'no-cache')
          .header('vary', 'accept-encoding')
          .header('etag', etag);
        if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
        const { body, coding } = negotiate(file, request.headers['accept-encoding'] ?? '');
        if (coding) reply.header('content-encoding', coding);
        return reply.type(type).send(body);
      },
    );
  }
  app.get<{ Params: { name: string } }>(
    `${prefix}assets/:name`,
    { schema: { hide: true }, ...(onRequest && { onRequest }) },
    async ({ params: { name } }, reply) => {
      const type = TYPES[extname(name)];
      const isName = type !== undefined && /^[\w.-]+$/.test(name);
      const body = isName && (await readFile(join(files.folder, 'assets', name)).catch(() => null));
      if (!body) {
        reply.header('cache-control', 'no-store');
        throw notFound('There is no such file.');
      }
      return reply.header('cache-control', CACHED_FOR_GOOD).type(type).send(body);
    },
  );
}
