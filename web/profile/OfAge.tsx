import { lazy, useEffect, useState } from 'react';
import type { User } from '#contract/wire/profile.ts';
import { countQuestionVisit, isQuestionOver } from '../session/seen.ts';
import { isFirstQuestion } from '../session/visit.ts';
import { Later } from '../shell/Later.tsx';
import { useSaveVisibility } from '../shell/save-visibility.ts';

const AgeQuestion = lazy(() => import('./questions.ts').then((m) => ({ default: m.AgeQuestion })));

/**
 * Asks a player who has come of age who may see the name (PROD-81). Decides once whether to appear,
 * and never appears after scrolling, which would move the page under the thumb (LOOK-52).
 */
export function OfAge({ user, onAnswered }: { user: User; onAnswered: () => void }) {
  // Call the hook here, because the question unmounts before the mutation calls `onSuccess`.
  const save = useSaveVisibility();
  const asked = user.visibility_question;
  const [shown, setShown] = useState<boolean | null>(null);
  useEffect(() => {
    if (!asked || shown !== null) return;
    setShown(window.scrollY === 0 && !isQuestionOver() && isFirstQuestion('age'));
  }, [asked, shown]);
  useEffect(() => {
    if (shown) countQuestionVisit();
  }, [shown]);
  if (!asked || !shown) return null;
  return (
    <Later>
      <AgeQuestion user={user} save={save} onAnswered={onAnswered} />
    </Later>
  );
}
