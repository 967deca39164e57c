import { lazy } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { Later } from '../shell/Later.tsx';
import { useQuestion } from './question.ts';
import { useWall } from './wall.ts';

const WallAsk = lazy(() => import('./questions.ts').then((m) => ({ default: m.WallAsk })));

type WallQuestionProps = {
  user: User;
  /** Whether a slip lies on the pass. */
  covered: boolean;
  onAnswered: () => void;
};

/** The question about the screens, under the pass (HAND-50). */
export function WallQuestion({ user, covered, onAnswered }: WallQuestionProps) {
  const { game, wall } = useWall(user);
  const [shown, end] = useQuestion('wall', covered ? null : wall);
  if (shown === null || game === undefined || covered || user.visibility !== 'players') return null;
  return (
    <Later>
      <WallAsk
        user={user}
        game={game}
        venue={shown.venue}
        onAnswered={() => {
          end();
          onAnswered();
        }}
      />
    </Later>
  );
}
