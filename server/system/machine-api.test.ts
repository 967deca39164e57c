import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeLeague, makeMachine, makePlayer, makeTeam } from '#testing/app/make.ts';
import { testApp } from '#testing/app/test-app.ts';

const DOCUMENT = join(import.meta.dirname, '../../docs/machine-api.md');
const EXAMPLE = /```sh\n(curl [^`]+)```\n+```json ?(\d*)\n([^`]+)```/g;
const TIME = '2026-11-21T19:30:00.000Z';

function parseCurl(line: string, key: string) {
  const path = /\$SERVER(\S+)/.exec(line)?.[1] ?? '';
  const headers = [...line.matchAll(/-H "([^:]+): ([^"]+)"/g)].map(([, name = '', value = '']) => [
    name.toLowerCase(),
    value.replace('$KEY', key),
  ]);
  const body = /-d\s+'([^']+)'/.exec(line)?.[1];
  const method = /-X (\w+)/.exec(line)?.[1] ?? (body === undefined ? 'GET' : 'POST');
  return {
    method,
    path,
    headers: Object.fromEntries(headers),
    ...(body === undefined ? {} : { body }),
  };
}

test('docs/machine-api.md shows the server’s real responses', async () => {
  const t = await testApp();
  t.clock.advance(Date.parse(TIME) - Date.now());
  const league = await makeLeague(t);
  const player = await makePlayer(t, {
    uuid: '2f7b8cfd-fc93-4d5a-a7ec-576156cf4426',
    username: 'Maya_Banks',
    avatar_color: '#377AD3',
    jersey_number: '07',
  });
  await makeTeam(t, league, [player], { name: 'Brick City Bankers' });
  const machine = await makeMachine(t, { name: 'Court 1', venue: 'Hoop House' });

  const examples = [...(await readFile(DOCUMENT, 'utf8')).matchAll(EXAMPLE)];
  expect(examples.length).toBeGreaterThanOrEqual(8);
  for (const [, line = '', status = '', shown = ''] of examples) {
    const { method, path, ...options } = parseCurl(line, machine.key);
    const answer = await t.call(method, path, options);
    const body = 'server_time' in answer.body ? { ...answer.body, server_time: TIME } : answer.body;
    expect({ line, status: answer.status, body }).toEqual({
      line,
      status: Number(status || 200),
      body: JSON.parse(shown),
    });
  }
  await t.close();
});
