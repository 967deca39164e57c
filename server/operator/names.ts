import { notFound, Refusal } from '../errors.ts';

/** More letters that differ than this is another name, not a slip. */
const SLIPS_MAX = 2;
const SUGGESTIONS_MAX = 3;

/** How many letters must be changed, added, dropped or swapped to turn one word into the other. */
function distance(a: string, b: string): number {
  let twoUp: number[] = [];
  let up = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (up[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (up[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (twoUp[j - 2] ?? 0) + 1);
      row.push(least);
    }
    twoUp = up;
    up = row;
  }
  return up[b.length] ?? 0;
}

/** The names that somebody who typed `wanted` may have meant, the likeliest first, at most three. */
export function nearest(wanted: string, names: readonly string[]): string[] {
  const typed = wanted.toLowerCase();
  return names
    .map((name) => {
      const known = name.toLowerCase();
      const part = typed.length >= 3 && known.includes(typed);
      return { name, slips: part ? 0 : distance(typed, known) };
    })
    .filter(({ slips }) => slips <= Math.min(SLIPS_MAX, Math.floor(typed.length / 2)))
    .sort((a, b) => a.slips - b.slips || (a.name < b.name ? -1 : 1))
    .slice(0, SUGGESTIONS_MAX)
    .map(({ name }) => name);
}

/**
 * Runs `work`, and when it does not know the name, adds those that come near: the operator sees at
 * once whether it was a slip of the finger.
 * @throws Refusal 404 with the suggestions; anything else as it was thrown.
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
