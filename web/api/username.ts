import { USERNAME_INAPPROPRIATE, usernameProblem } from '#contract/rules/username.ts';
import { CannotReach } from './client.ts';

/** Loads the word list. Call it early, because the list is large. Throws CannotReach. */
export async function loadProfanity() {
  try {
    return await import('#contract/rules/profanity.ts');
  } catch {
    throw new CannotReach();
  }
}

/**
 * The message for a username that breaks the rules, otherwise null (ACC-08, ACC-09). Throws
 * CannotReach without the word list.
 */
export async function checkUsername(username: string): Promise<string | null> {
  const problem = usernameProblem(username);
  if (problem !== null) return problem;
  const { isInappropriate } = await loadProfanity();
  return isInappropriate(username) ? USERNAME_INAPPROPRIATE : null;
}
