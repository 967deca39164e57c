import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesOf, checkReleased } from './release.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8');
const BODY = '\n### Added\n\n- A thing.\n\n### Upgrading\n\nNothing to do.\n\n';

test('the version of this commit has a section in the changelog', () => {
  const { version } = JSON.parse(read('package.json'));
  const released = read('CHANGELOG.md').replace(/## Unreleased.*?(?=\n## )/s, '## Unreleased');
  expect(changesOf(released, version)).toContain('### Upgrading');
});

test('the changes of a version are its own section of the changelog, and no other', () => {
  const text = `# Changelog\n\n## Unreleased\n\n## 0.3.0 - 2026-12-01\n${BODY}## 0.2.0\n\n### Upgrading\n`;
  expect(changesOf(text, '0.3.0')).toBe(BODY.trim());
});

test.each([
  ['a version without a section', `## Unreleased\n\n## 0.2.0\n${BODY}`, 'has no section'],
  [
    'a section that says nothing about upgrading',
    '## 0.3.0 - 2026-12-01\n\n- A thing.\n',
    '### Upgrading',
  ],
  ['a heading without a date', `## 0.3.0\n${BODY}`, 'has no date'],
  [
    'lines that belong to no version',
    `## Unreleased\n\n- x\n\n## 0.3.0 - 2026-12-01\n${BODY}`,
    'Unreleased',
  ],
])('%s stops the release', (_what, text, says) => {
  expect(() => changesOf(text, '0.3.0')).toThrow(says);
});

test('REL-22: a release stops unless RELEASED names the last migration', () => {
  const source = "export const RELEASED = '002-b';";
  checkReleased(source, ['002-b.ts', '001-a.ts']);
  expect(() => checkReleased(source, ['003-c.ts', '002-b.ts'])).toThrow(
    "Set RELEASED in server/db/migrate.ts to '003-c'.",
  );
});
