/**
 * A score as the tables show it: 999, 1k, 1.2k, 12k. Rounded half up to one decimal; the decimal
 * is left out when it is 0 (spec 9, contract 1). Takes a number ≥ 0.
 */
export function abbreviate(score: number): string {
  if (score < 1000) return String(score);
  // Whole numbers of hundreds, so that no binary fraction decides what "half" is.
  const tenths = Math.floor((score + 50) / 100);
  return tenths % 10 === 0 ? `${tenths / 10}k` : `${Math.floor(tenths / 10)}.${tenths % 10}k`;
}

/** `sum / count` rounded half up to one decimal; 0 when nothing was counted (contract 1). */
export function average(sum: number, count: number): number {
  return count === 0 ? 0 : Math.floor((sum * 20 + count) / (count * 2)) / 10;
}
