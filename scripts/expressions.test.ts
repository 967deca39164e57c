import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { parse } from 'acorn';
import { expect, test } from 'vitest';

/*
 * Runs every regular expression of server and contract on hostile text (P37a): 100,000 times the
 * same character, alone and beside characters that do not match. A quadratic expression takes
 * minutes, a linear one milliseconds.
 */

const ROOT = join(import.meta.dirname, '..');
const LENGTH = 100_000;
/** Far longer than a linear expression needs on a busy computer. */
const PATIENCE_MS = 3_000;

type Expression = { at: string; pattern: string; flags: string };

function expressionsIn(file: string): Expression[] {
  const code = stripTypeScriptTypes(readFileSync(join(ROOT, file), 'utf8'));
  const found: Expression[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if ('regex' in node && typeof node.regex === 'object' && node.regex !== null)
      found.push({ at: file, ...(node.regex as Omit<Expression, 'at'>) });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

/** The pattern's own characters, and one of each class that it may name. */
function charactersOf(pattern: string): string[] {
  return [...new Set([...pattern.replace(/\\[a-zA-Z]/g, ''), ...'a0_ \t@＝\u{1f600}'])];
}

/** A character that few patterns match. */
const ODD = '\u0000';

function isSlow({ pattern, flags }: Expression): string | null {
  for (const one of charactersOf(pattern))
    for (const text of [
      one.repeat(LENGTH),
      one.repeat(LENGTH) + ODD,
      `${ODD}${one.repeat(LENGTH)} ${ODD}`,
    ]) {
      const expression = new RegExp(pattern, flags);
      try {
        runInNewContext(
          'text.replace(expression, "")',
          { text, expression },
          { timeout: PATIENCE_MS },
        );
      } catch (error) {
        if (String(error).includes('timed out')) return one;
        throw error;
      }
    }
  return null;
}

test('P37a: no regular expression is slow on hostile text', async () => {
  const files: string[] = [];
  for await (const file of glob('{server,contract}/**/*.ts', { cwd: ROOT }))
    if (!file.endsWith('.test.ts') && !file.includes('.child.')) files.push(file);
  const all = files.sort().flatMap(expressionsIn);
  expect(all.length).toBeGreaterThan(100);
  const slow = all.flatMap((one) => {
    const character = isSlow(one);
    return character === null
      ? []
      : [`${one.at}: /${one.pattern}/${one.flags} with ${JSON.stringify(character)}`];
  });
  expect(slow).toEqual([]);
}, 600_000);

test('the test finds a quadratic expression', () => {
  expect(isSlow({ at: '', pattern: '^[^\\s,;]+@[^\\s,;]+$', flags: 'i' })).toBe('@');
});
