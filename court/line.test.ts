import { afterEach, expect, test, vi } from 'vitest';
import { asCurl, Line, shortPath, transcript } from './line.ts';

afterEach(() => vi.unstubAllGlobals());

const URL_OF = 'http://localhost:3000/api/machine/games/';
const answer = (body: string, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(body, { status }));

test('LOOK-93 records each request and its response', async () => {
  answer('{"results":[]}');
  const line = new Line(() => undefined);
  await line.fetch(URL_OF, { method: 'POST', body: '{"games":[]}' });
  const [call] = line.calls;
  expect(call).toMatchObject({ method: 'POST', path: '/api/machine/games/', status: 200 });
  expect(call && transcript(call)).toBe('→ {\n  "games": []\n}\n← {\n  "results": []\n}');
});

test('LOOK-93 a pulled cable fails new calls and breaks running calls', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
    const cut = new Promise<never>((_done, fail) => {
      signal.addEventListener('abort', () => fail(signal.reason));
    });
    return Promise.race([promise, cut]);
  });
  const line = new Line(() => undefined);
  const underWay = line.fetch(URL_OF);
  line.plug(false);
  await expect(underWay).rejects.toThrow('The line is cut.');
  await expect(line.fetch(URL_OF, { method: 'POST' })).rejects.toThrow('The line is cut.');
  await expect(line.fetch(URL_OF)).rejects.toThrow('The line is cut.');
  line.noteRetry(3_600);
  expect(line.calls.map(({ status, note }) => [status, note])).toEqual([
    [null, null],
    [null, 'The line is cut. Next try in 4 s.'],
    [null, null],
  ]);
  line.plug(true);
  resolve(new Response('{}'));
  expect((await line.fetch(URL_OF)).status).toBe(200);
});

test('LOOK-93 shows the newest sixty calls', async () => {
  answer('no JSON');
  const line = new Line(() => undefined);
  for (let at = 0; at < 70; at += 1) await line.fetch(URL_OF);
  expect(line.calls).toHaveLength(60);
  expect(line.calls[0]?.id).toBe(70);
  expect(line.calls[0] && transcript(line.calls[0])).toBe('no JSON');
});

test('LOOK-93 writes a call as a shell command with the same content', async () => {
  answer('{}');
  const line = new Line(() => undefined);
  await line.fetch(URL_OF, { method: 'POST', body: `{"a":"it's"}` });
  const [call] = line.calls;
  expect(call && asCurl(call, 'http://localhost:3000', 'bbm_test_x')).toBe(
    [
      `curl -X POST 'http://localhost:3000/api/machine/games/'`,
      `-H 'Authorization: Bearer bbm_test_x'`,
      `-H 'Content-Type: application/json'`,
      `-d '{"a":"it'\\''s"}'`,
    ].join(' \\\n  '),
  );
});

test('LOOK-93 shortens a code in a path', () => {
  expect(shortPath('/api/machine/players/2f7b8cfd-0000-4d5a-a7ec-576156cf4426/')).toBe(
    '/api/machine/players/2f7b…4426/',
  );
});
