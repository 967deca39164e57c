import { useQuery } from '@tanstack/react-query';
import type { User } from '#contract/wire/profile.ts';
import { getPush } from '../api/profile-calls.ts';
import { KEYS } from '../api/queries.ts';
import { useAuth } from '../session/AuthProvider.tsx';
import { useGames } from '../session/reads.ts';
import { ownTask } from '../ui/own-task.ts';
import { serverDate } from '../ui/server-clock.ts';
import { mayAsk } from './asking.ts';

/** Whether the browser can be asked: here, or once the app is on the home screen (PUSH-34). */
const canBeAsked = (): boolean =>
  window.isSecureContext &&
  (('standalone' in navigator && navigator.standalone === false) ||
    ('PushManager' in window && 'Notification' in window && Notification.permission === 'default'));

/** The data for the question, or null, and whether everything is read. */
export function usePushQuestion(user: User) {
  const { api } = useAuth();
  const games = useGames();
  const game = games.data?.pages[0]?.results[0];
  const may = mayAsk(user, game, serverDate());
  // Read the permission again for each game: the player may have answered the browser. Reading it
  // takes 15 ms on a slow phone.
  const can = useQuery({
    queryKey: [...KEYS.push, 'can be asked', game?.id],
    queryFn: () => ownTask().then(canBeAsked),
    enabled: may,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The permission for notifications could not be read.' },
  });
  const enabled = may && can.data === true;
  const { data, isLoading } = useQuery({
    queryKey: KEYS.push,
    queryFn: ({ signal }) => getPush(api, signal),
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: 'The notifications could not be read.' },
  });
  const push = enabled && data?.ask && !data.devices.some(({ current }) => current) ? data : null;
  return { push, game, isKnown: !games.isLoading && !can.isLoading && !isLoading };
}
