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
