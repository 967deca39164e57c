/**
 * The length of a week's bar, 0 to 1 (HAND-82). Bars begin 20 % below the lowest average, so that
 * the weeks differ. A week without games has none.
 */
export function barOf(average: number | null, averages: readonly number[]): number {
  if (average === null) return 0;
  const from = Math.min(...averages) * 0.8;
  const highest = Math.max(...averages);
  return highest === from ? 1 : (average - from) / (highest - from);
}
