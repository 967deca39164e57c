import { USERNAME_INAPPROPRIATE, usernameProblem } from '#contract/username.ts';
import { CannotReach } from './client.ts';

/** Fetches the profanity check, whose word list is heavy: call it early to have it in time. */
export async function loadProfanity() {
  try {
    return await import('#contract/profanity.ts');
  } catch {
    throw new CannotReach();
  }
}

/**
 * The sentence that says what is wrong with a username, or null (spec 5). Throws CannotReach when
 * the word list cannot be fetched.
 */
export async function checkUsername(username: string): Promise<string | null> {
  const problem = usernameProblem(username);
  if (problem !== null) return problem;
  const { isInappropriate } = await loadProfanity();
  return isInappropriate(username) ? USERNAME_INAPPROPRIATE : null;
}
