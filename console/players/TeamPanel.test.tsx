import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PlayerPage } from '#contract/wire/players.ts';
import { TeamPanel } from './TeamPanel.tsx';

const panelOf = (change: Partial<PlayerPage>) => {
  const of = {
    ...{ id: '7', username: 'Windmill', reached: true, team: null, other_team: false },
    week: { games: 0, own: 0, total: 0, counts: false },
    ...change,
  } as PlayerPage;
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <TeamPanel of={of} />
    </QueryClientProvider>,
  );
};

test('STAFF-41: a player out of reach is put on a team by the address or the code', () => {
  const [near, far] = [panelOf({}), panelOf({ reached: false })];
  expect(near).toContain('Add to a team');
  expect(far).not.toContain('Add to a team');
  expect(far).toContain('Windmill has played at none of your venues.');
});

test('STAFF-40: an owner changes a team out of reach, also of a player without a name', () => {
  const words = 'On a team that you do not see. Ask an owner to change this.';
  expect(panelOf({ reached: false, other_team: true, username: null })).toContain(words);
});
