import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import type { RunningServer } from '#testing/server.ts';
import { expect, type NewPlayer, signInAs } from './fixtures.ts';

/* What the nights of a venue need: a hoop, televisions, phones, and rounds that begin and end. */

export const VENUE = 'Dockside Arcade';

/** Adds a venue's hoop. `settle` reports that no game is waiting on it. */
export async function openHoop(server: RunningServer) {
  const { key } = await server.addMachine('Hoop 1', VENUE);
  return {
    play: (player: NewPlayer, score: number) =>
      server.play(key, {
        id: randomUUID(),
        player: player.uuid,
        score,
        played_at: new Date().toISOString(),
      }),
    settle: async () => {
      const told = await fetch(`${server.url}/api/machine/status/`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ queued: 0, playing: false }),
      });
      expect(told.status).toBe(200);
    },
  };
}

/** Opens a television that shows `code` until somebody types it. */
export async function openWall(browser: Browser, server: RunningServer) {
  const wall = await (await browser.newContext()).newPage();
  await wall.setViewportSize({ width: 1920, height: 1080 });
  await wall.goto(`${server.url}/screen`);
  const boxes = wall.locator('.is-on .boxes');
  await expect(boxes).toHaveAttribute('aria-label', /Code \w( \w){5}/);
  const shown = (await boxes.getAttribute('aria-label')) ?? '';
  return { wall, code: shown.replace('Code ', '').replaceAll(' ', '') };
}

/** Sets the slides of the only television. */
export async function setSlides(server: RunningServer, ...slides: string[]): Promise<void> {
  const [screen] = await server.sql('select id from screens');
  await server.backboard('screen', 'slides', `id:${screen?.id}`, ...slides);
}

/** Opens a phone, signed in if `player` is given. */
export async function openPhone(
  browser: Browser,
  server: RunningServer,
  player?: NewPlayer,
): Promise<Page> {
  const phone = await (await browser.newContext()).newPage();
  await phone.setViewportSize({ width: 390, height: 844 });
  if (player) await signInAs(phone, server, player);
  return phone;
}

export const beginRound = (server: RunningServer, round: number) =>
  server.sql(`update cup_pairings set starts_at = now(),
    ends_at = now() + interval '1 hour' where round = ${round}`);

export const endRound = (server: RunningServer, round: number) =>
  server.sql(`update cup_pairings set ends_at = now() where round = ${round}`);

/** Starts a job now. By itself, the server runs it once a minute. */
export const runJob = (server: RunningServer, name: string) =>
  server.sql('insert into pgboss.job (name) values ($1)', [name]);
