import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SeasonTable } from './SeasonTable.tsx';

it('SEASON-17: a team that withdrew has no place', () => {
  const figures = { won: 1, drawn: 0, lost: 1, total: 100 };
  const page = renderToStaticMarkup(
    <SeasonTable
      standings={[
        { place: 1, team: 'Red', ...figures },
        { place: 2, team: 'Blue', ...figures },
      ]}
      rows={[
        { team: 'Red', by: null, note: null, withdrew: false },
        { team: 'Blue', by: null, note: 'withdrew in week 2', withdrew: true },
      ]}
      team="Red"
      foot=""
    />,
  );
  expect(
    [...page.matchAll(/<td class="[^"]*place[^"]*">([^<]*)</g)].map(([, place]) => place),
  ).toEqual(['1', '–']);
});
