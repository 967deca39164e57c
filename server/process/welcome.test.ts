import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { testApp } from '#testing/app/test-app.ts';
import { commandLine, greet, NOT_BEHIND_A_PROXY } from './welcome.ts';

const ROOT = join(import.meta.dirname, '../..');
const line = (port: number, data_dir: string) => commandLine({ port, data_dir }, 'staff list');

test('the printed command names the port and the data folder only if they are not the default', () => {
  expect(line(3000, join(ROOT, 'data'))).toBe('./backboard staff list');
  expect(line(4000, join(ROOT, 'data'))).toBe(
    'BACKBOARD_URL=http://127.0.0.1:4000 ./backboard staff list',
  );
  expect(line(3000, "/srv/Ann's data")).toBe(
    "DATA_DIR='/srv/Ann'\\''s data' ./backboard staff list",
  );
});

test('P46: the start message says that a trial server must not be behind a proxy', async () => {
  const t = await testApp();
  const printed = async (config: typeof t.config) => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    try {
      await greet({ config, db: t.db });
      return log.mock.calls.flat().join('\n');
    } finally {
      log.mockRestore();
    }
  };
  try {
    expect(await printed(t.config)).toContain(NOT_BEHIND_A_PROXY);
    const mailed = await printed({ ...t.config, smtp_url: 'smtps://mail.example.com' });
    expect(mailed).toContain('Console');
    expect(mailed).not.toContain(NOT_BEHIND_A_PROXY);
  } finally {
    await t.close();
  }
});
