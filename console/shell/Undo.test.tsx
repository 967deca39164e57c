import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { useChange } from '../api/queries.ts';
import { useDecision } from './Undo.tsx';

vi.mock('../api/queries.ts', () => ({ useChange: vi.fn() }));

function Decides() {
  const { decide } = useDecision<string>({
    send: () => Promise.resolve(),
    reverse: () => Promise.resolve(),
    stale: [],
  });
  decide('second');
  return null;
}

test.each([true, false])('OPS-17: no decision is sent while Undo is pending: %s', (isPending) => {
  const mutate = vi.fn();
  const change = (state: object) =>
    vi.mocked(useChange).mockReturnValueOnce(state as ReturnType<typeof useChange>);
  change({ mutate });
  change({ isPending, reset: vi.fn() });
  renderToStaticMarkup(<Decides />);
  expect(mutate).toHaveBeenCalledTimes(isPending ? 0 : 1);
});
