import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandLine, run } from '#testing/app/command-line.ts';
import { makeGames, makeMachine, makePlayer } from '#testing/app/make.ts';
import { allowSlowTests, listening } from '#testing/app/server-process.ts';
import { withApp } from '#testing/app/test-app.ts';

allowSlowTests();

const t = withApp();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backboard-drill-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

test('REL-14 P46: the documents’ drill proves a backup, refuses a broken one, sends nothing and leaves no copy', async () => {
  await makeGames(t, await makeMachine(t), await makePlayer(t), [{ score: 300 }, { score: 400 }]);
  const { backboard, close } = await commandLine(t);
  const file = join(folder, 'last.gz');
  expect((await backboard('backup', file, '--yes')).code).toBe(0);
  close();

  const temporary = join(folder, 'tmp');
  await mkdir(temporary);
  // A program on the port that the drill must neither listen on nor call.
  const asked: string[] = [];
  const stranger = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end('{"results":[]}');
  });
  const { port } = await listening(stranger);
  const drill = (backup: string) =>
    run(join(import.meta.dirname, '../../deploy/drill.sh'), [backup], {
      env: {
        PATH: process.env.PATH,
        TMPDIR: temporary,
        PORT: String(port),
        // The drill must not use the server's settings.
        NODE_ENV: 'production',
        DATABASE_URL: 'postgres://127.0.0.1:1/live',
        OIDC_ISSUER: 'https://id.example.com',
        BACKBOARD_OPERATOR_KEY: 'k'.repeat(40),
        BACKBOARD_URL: `http://127.0.0.1:${port}`,
      },
    });
  const good = await drill(file);
  expect([good.code, good.stderr]).toEqual([0, expect.not.stringMatching(/error|cannot/i)]);
  expect(good.stdout).toMatch(
    /The figures agree with the games: 2 games of 1 player\..*\nThe backup is good\.\n$/s,
  );

  await writeFile(join(folder, 'broken.gz'), 'no backup');
  const broken = await drill(join(folder, 'broken.gz'));
  expect(broken.code).toBe(1);
  expect(broken.stderr).not.toBe('');
  // The cache of compiled code contains no data.
  const left = (await readdir(temporary)).filter((name) => name !== 'node-compile-cache');
  expect(left).toEqual([]);
  expect(asked).toEqual([]);
  stranger.close();
});
