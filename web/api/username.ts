import { useEffect, useState } from 'react';
import { USERNAME_INAPPROPRIATE, usernameProblem } from '#contract/rules/username.ts';

/**
 * Loads the word list; null if it cannot be loaded, for example after an update of the server. Call
 * it early, because the list is large.
 */
export const loadProfanity = () => import('#contract/rules/profanity.ts').catch(() => null);

/**
 * The message for a username that breaks the rules, otherwise null (ACC-08, ACC-09). Without the
 * word list, only the server checks the words.
 */
export async function checkUsername(username: string): Promise<string | null> {
  const problem = usernameProblem(username);
  if (problem !== null) return problem;
  const list = await loadProfanity();
  return list?.isInappropriate(username) ? USERNAME_INAPPROPRIATE : null;
}

/**
 * The name if it passes the check, otherwise an empty text (HAND-99). The first name always passes.
 */
export function usePassedName(username: string): string {
  const [first] = useState(username);
  const [passed, setPassed] = useState(username);
  useEffect(() => {
    let late = false;
    const checked = username === first ? Promise.resolve(null) : checkUsername(username);
    void checked.then((problem) => {
      if (!late) setPassed(problem === null ? username : '');
    });
    return () => {
      late = true;
    };
  }, [username, first]);
  return passed;
}
