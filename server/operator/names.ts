import leven from 'leven';
import { notFound, Refusal } from '../errors.ts';

/**
 * A name at a larger edit distance is not a typing error. Swapping two letters is a distance of 2.
 */
const SLIPS_MAX = 2;
const SUGGESTIONS_MAX = 3;

/** At most three names that `wanted` may mean, the most similar first. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const typed = wanted.toLowerCase();
  return names
    .map((name) => {
      const known = name.toLowerCase();
      const part = typed.length >= 3 && known.includes(typed);
      return { name, slips: part ? 0 : leven(typed, known) };
    })
    .filter(({ slips }) => slips <= Math.min(SLIPS_MAX, Math.floor(typed.length / 2)))
    .sort((a, b) => a.slips - b.slips || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}

/**
 * Runs `work`.
 * @throws Refusal 404 with names similar to `wanted`; any other error unchanged.
 */
export async function suggesting<T>(
  wanted: string,
  names: () => Promise<readonly string[]>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404 || !('detail' in error.body))
      throw error;
    const near = nearest(wanted, await names());
    if (near.length === 0) throw error;
    throw notFound(
      `${error.body.detail} Did you mean ${near.map((name) => `“${name}”`).join(' or ')}?`,
    );
  }
}
