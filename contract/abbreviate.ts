/** Abbreviates a score ≥ 0: 999, 1k, 1.2k, 12k. Rounds half up (GAME-05). */
export function abbreviate(score: number): string {
  if (score < 1000) return String(score);
  // Use integers: as a float, 1.15 is a little too small and would round down to 1.1.
  const tenths = Math.floor((score + 50) / 100);
  return tenths % 10 === 0 ? `${tenths / 10}k` : `${Math.floor(tenths / 10)}.${tenths % 10}k`;
}

/** `sum / count`, rounded half up to one decimal; 0 when `count` is 0 (GAME-04). */
export function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.floor((sum * 20 + count) / (count * 2)) / 10;
}
