import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

const SCRIPT = path.join(import.meta.dirname, 'clients.ts');

/** bench/results.md has the figures of a long run. */
it('a client that is killed loses no game and sends none twice', { timeout: 240_000 }, async () => {
  const { code, output } = await new Promise<{ code: number | string; output: string }>((done) => {
    execFile(process.execPath, [SCRIPT, '--kills', '4'], (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
  console.log(output);
  expect({ code, output }).toEqual({ code: 0, output: expect.not.stringContaining('WRONG') });
});
