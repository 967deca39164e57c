import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { maskEmail, serverLogger } from './log.ts';

test('P42 an address keeps its first letters only', () => {
  expect(maskEmail('jordan@dunk.example')).toBe('j***@d…');
});

test('P42 a log line is JSON in UTC, and a hostile string cannot start a line of its own', () => {
  const lines: string[] = [];
  const log = serverLogger(
    'info',
    new Writable({
      write(chunk, _encoding, done) {
        lines.push(String(chunk));
        done();
      },
    }),
  );
  log.info({ path: 'x\n{"level":60}\u001b[2J' }, 'request');
  const error = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(maya@example.com) already exists.',
  });
  log.error({ err: error }, 'unexpected error');
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect([...line.trimEnd()].filter((letter) => letter < ' ')).toEqual([]);
    expect(JSON.parse(line).time).toMatch(/Z$/);
  }
  expect(lines[1]).not.toContain('maya');
});
