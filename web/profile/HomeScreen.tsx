import { lazy, useEffect, useState, useSyncExternalStore } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { hasPrompt, mayOffer, onPrompt } from '../session/home-screen.ts';
import { useLeagueStats } from '../session/reads.ts';
import { isFirstQuestion } from '../session/seen.ts';
import { hasTeam } from '../session/team.ts';
import { Later } from '../shell/Later.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { usePushQuestion } from './push.ts';
import { useWall } from './wall.ts';

const HomeScreenCard = lazy(() =>
  import('./questions.ts').then((m) => ({ default: m.HomeScreenCard })),
);

const GAMES_LEAST = 3;
/** The number of games when this visit began. A visit lasts until the next page load. */
let played: number | null = null;

type HomeScreenProps = { user: User; covered: boolean; onAnswered: () => void };

/**
 * Offers to put the app on the home screen, on the visit after the third game, as the last of the
 * questions (HAND-51, HAND-98).
 */
export function HomeScreen({ user, covered, onAnswered }: HomeScreenProps) {
  const offered = useSyncExternalStore(onPrompt, hasPrompt);
  played ??= user.user_stat.games_played;
  const [shown, setShown] = useState(false);
  const { isKnown } = useWall(user);
  const { isLoading } = useLeagueStats(hasTeam(user.team));
  const push = usePushQuestion(user);
  const ready =
    offered &&
    played >= GAMES_LEAST &&
    isKnown &&
    push.isKnown &&
    push.push === null &&
    !isLoading &&
    !covered;
  useEffect(() => {
    if (!ready || shown || window.scrollY > 0 || !mayOffer(serverDate().getTime())) return;
    if (window.matchMedia('(display-mode: standalone)').matches) return;
    if (isFirstQuestion('install')) setShown(true);
  }, [ready, shown]);
  if (!shown || covered || !offered) return null;
  return (
    <Later>
      <HomeScreenCard
        onAnswered={() => {
          setShown(false);
          onAnswered();
        }}
      />
    </Later>
  );
}
