import { expect, test, vi } from 'vitest';
import { keepUnsaved, navigate } from './router.tsx';

test('STAFF-24: leaving a page with two unsaved texts asks one question about both', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const drops = [
    keepUnsaved({ lost: 'The notice for the pier.', ask: first }),
    keepUnsaved({ lost: 'The notice for the mall.', ask: second }),
  ];
  navigate('/console/inbox');
  expect(first).toHaveBeenCalledExactlyOnceWith(expect.any(Function), [
    'The notice for the pier.',
    'The notice for the mall.',
  ]);
  expect(second).not.toHaveBeenCalled();
  drops[0]?.();
  navigate('/console/inbox');
  expect(second).toHaveBeenCalledExactlyOnceWith(expect.any(Function), [
    'The notice for the mall.',
  ]);
  drops[1]?.();
});
