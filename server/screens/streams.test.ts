import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  makeGames,
  makeLeague,
  makeMachine,
  makePlayer,
  makeScreen,
  makeTeam,
} from '#testing/app/make.ts';
import { withApp } from '#testing/app/test-app.ts';
import { findNamed } from '../db/reference.ts';
import { MACHINES } from '../machines/machines.ts';
import { removeScreen, type Screen } from './screens.ts';
import { openScreenStreams, type ScreenStreams } from './streams.ts';

const t = withApp();
let queries = 0;
let notify: (payload: string) => void;
let streams: ScreenStreams;
let screens: Screen[];
const venues = ['North', 'South', 'East'];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  streams = openScreenStreams(
    { db: t.db.withPlugin(counting), log: t.app.log },
    {
      subscribe: ({ onNotification }) => {
        notify = onNotification;
      },
      listening: async () => undefined,
      probe: () => undefined,
      close: async () => undefined,
    },
  );
  screens = [];
  for (const venue of venues) {
    await makeMachine(t, { venue });
    screens.push(await makeScreen({ ...t, log: t.app.log }, venue));
  }
});
afterEach(() => {
  streams.close();
  vi.useRealTimers();
});

/** Waits until no query has run for a moment; returns how many ran. */
async function queriesOf(act: () => unknown): Promise<number> {
  queries = 0;
  await act();
  let seen = -1;
  while (seen !== queries) {
    seen = queries;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return queries;
}

test('a game checks only the streams of its venue', async () => {
  for (const screen of screens) await streams.open(screen);
  const [north, south] = screens;
  await removeScreen(t, `id:${south?.id}`);
  expect(await queriesOf(() => notify(`venue ${north?.venue_id}`))).toBe(2);
  expect(streams.count()).toBe(3);
  await queriesOf(() => notify(`venue ${south?.venue_id}`));
  expect(streams.count()).toBe(2);
});

test('the timer checks the screens and leagues of all venues in two queries', async () => {
  for (const screen of screens) await streams.open(screen);
  await removeScreen(t, `id:${screens[1]?.id}`);
  expect(await queriesOf(() => vi.advanceTimersByTime(20_000))).toBe(2);
  expect(streams.count()).toBe(2);
});

test('notifications during a check cause only one more check, which covers all their venues', async () => {
  for (const screen of screens) await streams.open(screen);
  const [north, south, east] = screens;
  const asked = await queriesOf(async () => {
    notify(`venue ${north?.venue_id}`);
    await Promise.all([south, east].map((screen) => removeScreen(t, `id:${screen?.id}`)));
    for (let n = 0; n < 5; n += 1)
      for (const screen of [south, east]) notify(`venue ${screen?.venue_id}`);
  });
  expect(asked).toBeLessThanOrEqual(6);
  expect(streams.count()).toBe(1);
});

test('a screen follows a league from the league’s first game at the screen’s venue', async () => {
  const lines = await Promise.all(screens.map((screen) => streams.open(screen)));
  const player = await makePlayer(t);
  const league = await makeLeague(t);
  await makeTeam(t, league, [player]);
  const machine = await makeMachine(t, { venue: 'South' });
  await makeGames(t, await findNamed(t.db, MACHINES, `id:${machine.id}`), player, [{}]);
  await queriesOf(() => vi.advanceTimersByTime(20_000));
  for (const each of lines) each.read();
  notify(`league ${league.id}`);
  expect(lines.map((each) => each.read()?.toString() ?? null)).toEqual([
    null,
    'event: change\ndata:\n\n',
    null,
  ]);
});
