import { lazy, useSyncExternalStore } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { hasPrompt, mayOffer, onPrompt } from '../session/home-screen.ts';
import { useLeagueStats } from '../session/reads.ts';
import { hasTeam } from '../session/team.ts';
import { thisVisit } from '../session/visit.ts';
import { Later } from '../shell/Later.tsx';
import { serverDate } from '../ui/server-clock.ts';
import { usePushQuestion } from './push.ts';
import { useQuestion } from './question.ts';
import { useWall } from './wall.ts';

const HomeScreenCard = lazy(() =>
  import('./questions.ts').then((m) => ({ default: m.HomeScreenCard })),
);

const GAMES_LEAST = 3;

type HomeScreenProps = { user: User; covered: boolean; onAnswered: () => void };

/**
 * Offers to put the app on the home screen, on the visit after the third game, as the last of the
 * questions (HAND-51, HAND-98).
 */
export function HomeScreen({ user, covered, onAnswered }: HomeScreenProps) {
  const offered = useSyncExternalStore(onPrompt, hasPrompt);
  const visit = thisVisit();
  visit.games ??= user.user_stat.games_played;
  const { isKnown } = useWall(user);
  const { isLoading } = useLeagueStats(hasTeam(user.team));
  const push = usePushQuestion(user);
  const ready =
    offered &&
    visit.games >= GAMES_LEAST &&
    isKnown &&
    push.isKnown &&
    push.push === null &&
    !isLoading &&
    !covered &&
    mayOffer(serverDate().getTime()) &&
    !window.matchMedia('(display-mode: standalone)').matches;
  const [shown, end] = useQuestion('install', ready ? true : null);
  if (!shown || covered || !offered) return null;
  return (
    <Later>
      <HomeScreenCard
        onAnswered={() => {
          end();
          onAnswered();
        }}
      />
    </Later>
  );
}
