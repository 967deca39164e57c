import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conflict, notFound, unavailable } from '../errors.ts';

/** An upload is removed if no part arrives for this long. */
const IDLE_MS = 60 * 60_000;
/** One more upload removes the oldest, which is probably abandoned. */
const UPLOADS_MAX = 4;

type Upload = { folder: string; file: FileHandle; parts: number; timer: NodeJS.Timeout };

/**
 * Uploads of backups into the system's temporary folder, in parts, because a request must end
 * within 15 s (P38).
 */
export function uploads() {
  const live: Map<string, Upload> = new Map();

  function find(id: string): Upload {
    const upload = live.get(id);
    if (!upload)
      throw notFound(
        'This upload is not known here (any more). Start again; with several server processes, speak to one of them directly.',
      );
    upload.timer.refresh();
    return upload;
  }

  async function drop(id: string): Promise<void> {
    const upload = live.get(id);
    if (!upload) return;
    live.delete(id);
    clearTimeout(upload.timer);
    await upload.file.close();
    await rm(upload.folder, { recursive: true, force: true });
  }

  return {
    async begin(): Promise<string> {
      const [oldest] = live.keys();
      if (oldest !== undefined && live.size >= UPLOADS_MAX) await drop(oldest);
      const id = randomUUID();
      const folder = await mkdtemp(join(tmpdir(), 'backboard-restore-'));
      const file = await open(join(folder, 'backup.gz'), 'wx', 0o600);
      const timer = setTimeout(() => void drop(id).catch(() => undefined), IDLE_MS);
      timer.unref();
      live.set(id, { folder, file, parts: 0, timer });
      return id;
    },

    /**
     * `part` counts from 0.
     * @throws Refusal 404 for an unknown upload, 409 for a part out of order, 503 for a full disk
     */
    async append(id: string, part: number, bytes: Uint8Array): Promise<void> {
      const upload = find(id);
      if (part !== upload.parts) throw conflict(`Part ${upload.parts} comes next.`);
      upload.parts += 1;
      try {
        await upload.file.writeFile(bytes);
      } catch (error) {
        await drop(id);
        if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
          throw unavailable(
            "The server's disk has no space left for the file. Make room, then start again.",
          );
        throw error;
      }
    },

    /** @throws Refusal 404 for an unknown or expired upload */
    path: (id: string): string => join(find(id).folder, 'backup.gz'),

    drop,

    async closeAll(): Promise<void> {
      for (const id of live.keys()) await drop(id);
    },
  };
}
