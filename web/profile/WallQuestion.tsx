import { lazy, useEffect, useState } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { isFirstQuestion } from '../session/seen.ts';
import { Later } from '../shell/Later.tsx';
import { useWall } from './wall.ts';

const WallAsk = lazy(() => import('./questions.ts').then((m) => ({ default: m.WallAsk })));

type WallQuestionProps = {
  user: User;
  /** Whether a slip lies on the pass. */
  covered: boolean;
  onAnswered: () => void;
};

/**
 * The question about the screens, under the pass. Like the question at coming of age, it never
 * appears after scrolling, and only one question is asked on a visit (HAND-51).
 */
export function WallQuestion({ user, covered, onAnswered }: WallQuestionProps) {
  const { game, wall } = useWall(user);
  const [shown, setShown] = useState<{ venue: string } | null>(null);
  useEffect(() => {
    if (wall === null || covered || shown !== null || window.scrollY > 0) return;
    if (isFirstQuestion('wall')) setShown(wall);
  }, [wall, covered, shown]);
  if (shown === null || game === undefined || covered || user.visibility !== 'players') return null;
  return (
    <Later>
      <WallAsk
        user={user}
        game={game}
        venue={shown.venue}
        onAnswered={() => {
          setShown(null);
          onAnswered();
        }}
      />
    </Later>
  );
}
