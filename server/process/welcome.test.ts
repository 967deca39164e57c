import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLine } from './welcome.ts';

const ROOT = join(import.meta.dirname, '../..');
const line = (port: number, data_dir: string) => commandLine({ port, data_dir }, 'staff list');

test('the printed command names the port and the data folder only if they are not the default ones', () => {
  expect(line(3000, join(ROOT, 'data'))).toBe('./backboard staff list');
  expect(line(4000, join(ROOT, 'data'))).toBe(
    'BACKBOARD_URL=http://localhost:4000 ./backboard staff list',
  );
  expect(line(3000, "/srv/Ann's data")).toBe(
    "DATA_DIR='/srv/Ann'\\''s data' ./backboard staff list",
  );
});
