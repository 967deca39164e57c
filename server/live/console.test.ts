import { beforeAll, describe, expect, test, vi } from 'vitest';
import { BEAT, BEAT_MS, type ConsoleTopic } from '#contract/rules/live.ts';
import { aGame, makeMachine, makePlayer, makeStaff } from '#testing/app/make.ts';
import { OPERATOR_KEY, withApp } from '#testing/app/test-app.ts';
import { notifyConsole } from '../db/notifications.ts';
import { openConsoleLive } from './console.ts';

/** How soon an event arrives (STAFF-07). */
const WITHIN_MS = 2_000;

const t = withApp();
let url: string;
beforeAll(async () => {
  url = await t.app.listen({ port: 0, host: '127.0.0.1' });
});

async function streamOf({ headers }: { headers: { cookie: string } }) {
  const answer = await fetch(`${url}/api/console/events/`, { headers: { cookie: headers.cookie } });
  expect(answer.status).toBe(200);
  const events: string[] = [];
  const ended = (async () => {
    let rest = '';
    for await (const text of (answer.body ?? new ReadableStream()).pipeThrough(
      new TextDecoderStream(),
    )) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith('event: ')) events.push(line.slice('event: '.length));
    }
  })();
  await expect.poll(() => events).toContain(BEAT);
  return { events, ended };
}

const tell = (topics: ConsoleTopic[]) =>
  t.db.transaction().execute((trx) => notifyConsole(trx, topics));

describe('STAFF-07: the stream of the console', () => {
  test('reports a game, a held game and a machine within 2 s, also from another process', async () => {
    const other = await t.sibling();
    const stream = await streamOf(await makeStaff(t));
    const [machine, player] = [await makeMachine(t), await makePlayer(t)];
    await other.call('POST', '/api/machine/games/', {
      as: { key: machine.key },
      body: { games: [aGame(t, player, { score: 99_999 })] },
    });
    await expect.poll(() => stream.events, { timeout: WITHIN_MS }).toContain('games');
    expect(stream.events).toContain('held');
    await other.call('POST', '/api/operator/machines/rotate/', {
      as: { key: OPERATOR_KEY },
      body: { machine: machine.name },
    });
    await expect.poll(() => stream.events, { timeout: WITHIN_MS }).toContain('machines');
  });

  test('sends one event for a burst, and starts with the events of the last seconds', async () => {
    const stream = await streamOf(await makeStaff(t));
    const before = stream.events.filter((event) => event === 'reports').length;
    for (let n = 0; n < 30; n += 1) await tell(['reports']);
    await tell(['weeks']);
    await expect.poll(() => stream.events, { timeout: WITHIN_MS }).toContain('weeks');
    const reports = stream.events.filter((event) => event === 'reports').length - before;
    expect(reports).toBeGreaterThan(0);
    expect(reports).toBeLessThan(10);
    const late = await streamOf(await makeStaff(t));
    await expect.poll(() => late.events, { timeout: WITHIN_MS }).toContain('weeks');
  });

  test('P62: closes soon after the session ends, and opens only with a session', async () => {
    const staff = await makeStaff(t, { role: 'floor' });
    const stream = await streamOf(staff);
    await t.call('POST', '/api/operator/staff/remove/', {
      as: { key: OPERATOR_KEY },
      body: { staff: staff.name },
    });
    await stream.ended;
    const again = await fetch(`${url}/api/console/events/`, {
      headers: { cookie: staff.headers.cookie },
    });
    expect(again.status).toBe(401);
    const key = await fetch(`${url}/api/console/events/`, {
      headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    });
    expect(key.status).toBe(401);
  }, 20_000);

  test('is dropped when its client does not read', async () => {
    vi.useFakeTimers();
    const live = openConsoleLive(
      { clock: t.clock, log: t.app.log },
      {
        subscribe: () => undefined,
        listening: async () => undefined,
        probe: () => undefined,
        close: async () => undefined,
      },
      async (ids) => new Set(ids),
    );
    const unread = await live.open('1');
    vi.advanceTimersByTime(100 * BEAT_MS);
    vi.useRealTimers();
    expect(unread.destroyed).toBe(true);
    await live.close();
  });
});
