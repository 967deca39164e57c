import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
const documents = tracked.filter((path) => path.endsWith('.md'));

function named(text: string): string[] {
  const code = /`([\w.][\w./-]*\.(?:tsx?|mjs|md|json|css|svg|yml))`/g;
  const links = /\]\((?!https?:|#|\/)([^)#\s]+)/g;
  return [code, links].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, path = '']) => path),
  );
}

test('the search finds files in code and in links', () => {
  expect(named('see `server/app.ts` and [the rest](docs/x.md#part), not https://a.b/c.md')).toEqual(
    ['server/app.ts', 'docs/x.md'],
  );
});

test.each(documents)('%s names only files that exist', (document) => {
  const gone = named(readFileSync(join(ROOT, document), 'utf8')).filter(
    (path) =>
      !existsSync(join(ROOT, path)) &&
      !existsSync(join(ROOT, dirname(document), path)) &&
      !tracked.some((file) => file.endsWith(`/${path}`)),
  );
  expect(gone).toEqual([]);
});

/** Rules' ids, as comments, titles and documents cite them. */
const ID =
  /\b(?:(?:PROD|ACC|API|GAME|LEAGUE|SEASON|AWARD|FRAME|CONTEST|CUP|MACH|OPS|STAFF|SCREEN|LOOK|REL|PUSH|NUDGE|DUEL|FRIEND)-\d{2,}|P(?:10\d|[1-9]\d?)[a-i]?)\b/g;
function rowIds(text: string): string[] {
  return text
    .split(/\n(?!\|)/)
    .filter((table) => /^\n*\| Id +\|/.test(table))
    .flatMap((table) => [...table.matchAll(/^\| ([A-Z]+-\d{2,}|P\d+[a-i]?) +\|/gm)])
    .map(([, id = '']) => id);
}

const POLICY = rowIds(readFileSync(join(ROOT, 'docs/security.md'), 'utf8'));

test('the ids of the policy and of the promises have no gap', () => {
  const numbers = (pattern: RegExp) =>
    new Set(POLICY.flatMap((id) => pattern.exec(id)?.[1] ?? []).map(Number));
  const [policy, promises] = [numbers(/^P(\d+)/), numbers(/^REL-(\d+)/)];
  expect([...policy].sort((a, b) => a - b).slice(0, 45)).toEqual(
    Array.from({ length: 45 }, (_, at) => at + 1),
  );
  expect([...promises].sort((a, b) => a - b)).toEqual(
    Array.from({ length: promises.size }, (_, at) => at + 1),
  );
});

test.each(POLICY)('the row of %s names tests, and each test contains the id', (id) => {
  const row = readFileSync(join(ROOT, 'docs/security.md'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${id} `));
  const tests = named(row?.split('|')[4] ?? '');
  expect(tests).not.toEqual([]);
  for (const path of tests)
    expect(readFileSync(join(ROOT, path), 'utf8')).toMatch(new RegExp(`\\b${id}\\b`));
});

test('the search for rows reads only tables with a column Id', () => {
  expect(
    rowIds('# A\n\n| Id | What |\n| --- | --- |\n| A-01 | b |\n| P1 | c |\n\n| Row |\n| A-01 |\n'),
  ).toEqual(['A-01', 'P1']);
});

const texts = tracked
  .filter(
    (path) =>
      /\.(?:tsx?|mjs|md|css|html|json|sh|yml|py|c)$/.test(path) && existsSync(join(ROOT, path)),
  )
  .filter((path) => path !== 'package-lock.json')
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const rows = texts
  .filter(({ path }) => /^docs\/\w+\.md$/.test(path))
  .flatMap(({ text }) => rowIds(text));

test('no two rows have the same id', () => {
  expect(rows.length).toBeGreaterThan(POLICY.length);
  expect(rows.filter((id, at) => rows.indexOf(id) !== at)).toEqual([]);
});

test('every id that is cited has a row', () => {
  // P29 stands for P29a, P29b and so on.
  const known = new Set([...rows, ...rows.map((id) => id.replace(/[a-i]$/, ''))]);
  const unknown = texts.flatMap(({ path, text }) =>
    [...text.matchAll(ID)].filter(([id]) => !known.has(id)).map(([id]) => `${path}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

/** A citation by a section's number instead of a row's id. */
const ELSEWHERE = /\b(?:spec|contract|look|mock|architecture|style|security)\s+(?:\*\s+)?\d/gi;

test('the search finds citations of documents that are not in the repository', () => {
  const page = 5;
  expect(`/** Days of a month (spec ${page}); Contract ${page}. */`.match(ELSEWHERE)).toHaveLength(
    2,
  );
  expect('LOOK-05, app.spec.ts:5'.match(ELSEWHERE)).toBeNull();
});

test('nothing cites a document that is not in the repository', () => {
  const cited = texts.flatMap(({ path, text }) =>
    [...text.matchAll(ELSEWHERE)].map(([citation]) => `${path}: ${citation}`),
  );
  expect(cited).toEqual([]);
});
