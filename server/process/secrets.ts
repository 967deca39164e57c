import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isWeakSecret } from '../config.ts';

/** 256 bits (P9). */
const SECRET_BYTES = 32;

/**
 * The secret in `<folder>/<name>`, made at the first start with mode 600. Processes that start
 * together read the same secret: a hard link creates the file atomically, and fails if it exists.
 * @throws Error if the secret is weak.
 */
export async function keptSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(folder, { recursive: true });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, randomBytes(SECRET_BYTES).toString('base64url'), { mode: 0o600 });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  const secret = (await readFile(path, 'utf8')).trim();
  if (isWeakSecret(secret))
    throw new Error(`${path} is damaged: delete it to get a new one (players then sign in again).`);
  return secret;
}
