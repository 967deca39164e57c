import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const SCRIPT = path.join(import.meta.dirname, 'exactly-once.ts');
/** bench/results.md has the figures of a long run. */
const SHORT = ['--machines', '4', '--games', '400', '--kills', '3', '--speed', '1500'];

it('stores every game once while app and machines are killed and the network fails', {
  timeout: 240_000,
}, async () => {
  const { code, output } = await new Promise<{ code: number | string; output: string }>((done) => {
    execFile(process.execPath, [SCRIPT, ...SHORT], (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  expect({ code, output }).toEqual({
    code: 0,
    output: expect.stringMatching(
      /app killed +3 times.*\n.*responses lost +3 times\n.*killed +3 times/,
    ),
  });
});
