import { beforeEach, expect, it, vi } from 'vitest';

const on = (name: string) => ({ email: 'a@example.com', team: { id: 1, name } });
const off = { email: 'a@example.com', team: null };

type Module = typeof import('./former-team.ts');
let page: Module;
beforeEach(async () => {
  vi.resetModules();
  page = await import('./former-team.ts');
});

it('HAND-48: the lost team is known until its strip is opened', () => {
  expect(page.formerTeam(off)).toBeNull();
  expect(page.formerTeam(on('Bankers'))).toBeNull();
  expect(page.formerTeam(off)).toBe('Bankers');
  expect(page.formerTeam(off), 'in every room').toBe('Bankers');
  page.seeFormerTeam();
  expect(page.formerTeam(off)).toBeNull();
});

it('HAND-48: a new team ends it', () => {
  page.formerTeam(on('Bankers'));
  page.formerTeam(off);
  expect(page.formerTeam(on('Hawks'))).toBeNull();
});

it('HAND-48: the next player of this phone is told nothing', () => {
  page.formerTeam(on('Bankers'));
  page.formerTeam(off);
  expect(page.formerTeam({ ...off, email: 'b@example.com' })).toBeNull();
});
