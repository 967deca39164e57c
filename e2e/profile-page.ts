import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import type { MachineGame } from '#contract/wire/machines.ts';
import type { RunningServer } from '#testing/server.ts';
import { expect, type NewPlayer, signInAs } from './fixtures.ts';

/** The code's colours, as in the style sheets. */
export const RED = '#A00D2C';
export const NAVY = '#12285C';

/** Reads the player's code once: its text and colour. */
export async function scan(page: Page | Locator) {
  const code = page.getByRole('img', { name: 'Player QR code' });
  return readCode(PNG.sync.read(await code.screenshot()));
}

/** Reads the code in a picture: its text and colour. */
export function readCode({ data, width, height }: PNG): { text: string | undefined; ink: string } {
  const counts = new Map<string, number>();
  for (let at = 0; at < data.length; at += 4) {
    const hex = `#${data.toString('hex', at, at + 3).toUpperCase()}`;
    if (hex !== '#FFFFFF') counts.set(hex, (counts.get(hex) ?? 0) + 1);
  }
  const [ink] = [...counts].sort((one, other) => other[1] - one[1])[0] ?? [''];
  const text = jsqr.default(new Uint8ClampedArray(data), width, height)?.data;
  return { text, ink };
}

/** Waits for text and colour; the colour takes 200 ms to change. */
export async function expectCode(page: Page | Locator, text: string, ink: string): Promise<void> {
  await expect.poll(() => scan(page)).toEqual({ text, ink });
}

export async function openProfile(
  page: Page,
  server: RunningServer,
  player: NewPlayer,
): Promise<void> {
  await signInAs(page, server, player);
  await page.goto('/profile');
  await expect(page.getByRole('heading', { level: 1, name: player.username })).toBeVisible();
}

/** Goes to a room with the bar's link. */
export const goTo = (page: Page, room: 'Pass' | 'Games' | 'League' | 'Leaderboard') =>
  page
    .getByRole('navigation', { name: 'Rooms' })
    .getByRole('link', { name: new RegExp(`^${room}`) })
    .click();

export function stats(page: Page): Promise<string[]> {
  return page
    .getByRole('region', { name: 'Player Stats' })
    .getByRole('definition')
    .allTextContents();
}

/** The figures, without the words about a new best. */
export async function figures(page: Page): Promise<string[]> {
  return (await stats(page)).map((text) => text.replace(', new personal best', ''));
}

/** Plays games at the current time, because a game counts by the player's state at its time. */
export async function play(
  server: RunningServer,
  key: string,
  player: NewPlayer,
  scores: number[],
) {
  for (const score of scores) {
    const game = { id: randomUUID(), player: player.uuid, score };
    const result = await server.play(key, { ...game, played_at: new Date().toISOString() });
    expect(result).toMatchObject({ status: 'recorded' });
  }
}

/** Reports games in one call; `ago` is in ms. None may be rejected. */
export async function report(
  server: RunningServer,
  key: string,
  player: NewPlayer,
  games: ({ score: number; ago: number } & Partial<MachineGame>)[],
): Promise<void> {
  const now = Date.now();
  const answer = await fetch(`${server.url}/api/machine/games/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      games: games.map(({ ago, ...game }) => ({
        id: randomUUID(),
        player: player.uuid,
        ...game,
        played_at: new Date(now - ago).toISOString(),
      })),
    }),
  });
  const { results }: { results: { status: string }[] } = await answer.json();
  expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
}
