import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const INLINE: [pattern: RegExp, what: string][] = [
  [/<script(?![^>]*\ssrc=)/i, 'an inline script'],
  [/<style[\s>]/i, 'an inline style sheet'],
  [/<[^>]+\son\w+\s*=/i, 'an event handler in an attribute'],
  [/<[^>]+\sstyle\s*=/i, 'a style in an attribute'],
  [/<[^>]+=["']?\s*javascript:/i, 'a javascript: address'],
];

/**
 * Lists the inline code in a page that the page's policy forbids.
 * @param hashed whether the policy allows each bare `<style>` by its hash (server/http/pages.ts)
 */
export function inlineFaults(html: string, hashed = false): string[] {
  const rest = hashed ? html.replaceAll(/<style>.*?<\/style>/gs, '') : html;
  return INLINE.flatMap(([pattern, what]) => (pattern.test(rest) ? [what] : []));
}

/** @throws Error if a built page in `folder` has inline code that its policy forbids (P32). */
export async function refuseInline(folder: string, hashed: boolean): Promise<void> {
  for await (const path of glob('**/*.html', { cwd: folder })) {
    const [what] = inlineFaults(await readFile(join(folder, path), 'utf8'), hashed);
    if (what !== undefined)
      throw new Error(`${path} has ${what}, which its policy forbids: move it to a file.`);
  }
}
