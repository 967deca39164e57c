import { lazy } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { thisVisit } from '../session/visit.ts';
import { Later } from '../shell/Later.tsx';
import { usePushQuestion } from './push.ts';
import { useQuestion } from './question.ts';
import { useWall } from './wall.ts';

const PushAsk = lazy(() => import('./questions.ts').then((m) => ({ default: m.PushAsk })));

type PushQuestionProps = {
  user: User;
  /** Whether a slip lies on the pass. */
  covered: boolean;
  onAnswered: () => void;
};

/**
 * Asks about notifications once the player has put away the slip of a game that counted: never when
 * the page opens, and not after another question on the same visit (PUSH-30, HAND-51).
 */
export function PushQuestion({ user, covered, onAnswered }: PushQuestionProps) {
  const { push, game } = usePushQuestion(user);
  const { isKnown } = useWall(user);
  const visit = thisVisit();
  if (covered) visit.hadSlip = true;
  // The browser's answer changes what may be asked, so the question keeps what was read.
  const [shown, end] = useQuestion('push', visit.hadSlip && isKnown && !covered ? push : null);
  if (shown === null || covered || game === undefined) return null;
  return (
    <Later>
      <PushAsk
        user={user}
        game={game}
        push={shown}
        onAnswered={() => {
          end();
          onAnswered();
        }}
      />
    </Later>
  );
}
