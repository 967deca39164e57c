import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Met } from './Compare.tsx';

test('FRIEND-09: a meeting in a cup has whole sums, because few points decide it', () => {
  const drawn = renderToStaticMarkup(
    <Met
      met={[
        {
          ...{ week: '2026-11-16', team: 'Rim Reapers', opponent: 'Bank Shots' },
          ...{ own: 4_112, other: 3_950, result: 'won' },
        },
      ]}
      met_in_cups={[
        {
          ...{ week: '2026-11-23', cup: 'Finals night', pairing: 'Final' },
          ...{ own: 4_112, other: 4_120, result: 'lost' },
        },
      ]}
    />,
  );
  expect(drawn).toContain('4,112 – 4,120');
  expect(drawn).toContain('4.1k – 4k');
});
