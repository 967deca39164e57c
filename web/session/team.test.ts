import { describe, expect, it } from 'vitest';
import { hasTeam, teamName } from './team.ts';

describe('hasTeam', () => {
  it.each([
    [null, false],
    [undefined, false],
    [{}, false],
    [{ name: 'Brick City Bankers' }, true],
    [{ name: '' }, true],
    [{ name: null }, true],
  ])('%j: %s', (team, has) => {
    expect(hasTeam(team)).toBe(has);
  });
});

describe('teamName', () => {
  it.each([
    ['Brick City Bankers', 'Brick City Bankers'],
    ['', 'Unknown Team'],
    ['  ', 'Unknown Team'],
    [null, 'Unknown Team'],
    [undefined, 'Unknown Team'],
  ])('%j shows as %s', (name, shown) => {
    expect(teamName(name)).toBe(shown);
  });
});
