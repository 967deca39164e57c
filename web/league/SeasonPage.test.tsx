import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { SeasonPage } from '#contract/wire/seasons.ts';
import { Champions } from './SeasonPage.tsx';

const PAGE: SeasonPage = {
  id: '1',
  league: 'City League',
  name: 'Season 1',
  state: 'final',
  version: 1,
  starts_on: '2026-09-28',
  ends_on: '2026-11-29',
  settles_at: null,
  final_at: '2026-12-03T00:00:00Z',
  tie_break: 'total',
  champions: ['Rim Reapers'],
  won_table: [],
  no_champion: false,
  standings: [{ place: 1, team: 'Rim Reapers', won: 7, drawn: 0, lost: 2, total: 12_345 }],
  rows: [],
  schedule: [],
  best_games: [],
  awards: [],
  corrections: [],
  mine: null,
};
const drawn = (page: Partial<SeasonPage>) =>
  renderToStaticMarkup(<Champions page={{ ...PAGE, ...page }} />);

it('SEASON-24: champions have their figures of the table, and stand without a row of that name too', () => {
  expect(drawn({})).toContain('7 won, 2 lost, 12,345 in all');
  const renamed = drawn({ champions: ['Reapers'] });
  expect(renamed).toContain('Reapers');
  expect(renamed).not.toContain('in all');
});
