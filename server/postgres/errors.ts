import { readFile } from 'node:fs/promises';

/** A problem for the operator. The message says how to fix it. */
export class EmbeddedDatabaseError extends Error {
  override name = 'EmbeddedDatabaseError';
}

export function spawnFailure(command: string, error: Error): EmbeddedDatabaseError {
  const advice =
    command === 'setpriv'
      ? ' As root, under a folder that is closed to others, setpriv (package util-linux) is needed; or start as an ordinary user.'
      : '';
  return new EmbeddedDatabaseError(`Cannot run ${command} (${codeOf(error)}).${advice}`);
}

/** How to fix a system error; undefined if unknown. */
export function explain(folder: string, complaint: string): string | undefined {
  if (/ENOSPC|No space left on device/.test(complaint)) {
    return `There is no space left on the disk that holds ${folder}. Make room, then start again; nothing stored is lost.`;
  }
  if (/EDQUOT|Disk quota exceeded/.test(complaint)) {
    return `The disk quota for ${folder} is used up. Make room, then start again; nothing stored is lost.`;
  }
  if (/EROFS|Read-only file system/.test(complaint)) {
    return `${folder} is on a read-only file system. Set DATA_DIR to a folder that can be written.`;
  }
  if (/EACCES|EPERM|Permission denied|Operation not permitted/.test(complaint)) {
    return `This user cannot write in ${folder}. Change its owner, or set DATA_DIR to another folder.`;
  }
  return undefined;
}

/** The last line with an error, without a prefix such as `FATAL:`. */
export function lastComplaint(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const problem = /^.*?\b(FATAL|PANIC|ERROR|error):\s*/;
  const line = lines.findLast((line) => problem.test(line)) ?? lines.at(-1);
  return line?.replace(problem, '') ?? 'it gave no reason';
}

/** The error's code, such as `ENOENT`; without one, its text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** The file's text; undefined if the file does not exist. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
