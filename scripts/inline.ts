import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const INLINE: [pattern: RegExp, what: string][] = [
  [/<script(?![^>]*\ssrc=)/i, 'an inline script'],
  [/<style[\s>]/i, 'an inline style sheet'],
  [/<[^>]+\son\w+\s*=/i, 'an event handler in an attribute'],
  [/<[^>]+\sstyle\s*=/i, 'a style in an attribute'],
  [/<[^>]+=["']?\s*javascript:/i, 'a javascript: address'],
];

/** The kinds of inline scripts and styles in a page. */
export function inlineFaults(html: string): string[] {
  return INLINE.flatMap(([pattern, what]) => (pattern.test(html) ? [what] : []));
}

/** @throws Error if a built page in `folder` has an inline script or style (P32). */
export async function refuseInline(folder: string): Promise<void> {
  for await (const path of glob('**/*.html', { cwd: folder })) {
    const [what] = inlineFaults(await readFile(join(folder, path), 'utf8'));
    if (what !== undefined)
      throw new Error(`${path} has ${what}, which its policy forbids: move it to a file.`);
  }
}
