import { LOOKED_AT } from '#contract/rules/games.ts';
import type { PlayedGame } from '#contract/wire/games.ts';
import { isInFigures } from './counted.ts';

type Reported = Pick<PlayedGame, 'report' | 'report_reason'>;

/**
 * The line under a reported game, and whether it is settled; null if the game was never reported, or
 * if staff found that it counts, and it was held or taken out otherwise (PROD-98).
 */
export function reportedLine({
  report,
  report_reason,
  counts,
}: Reported & Partial<Pick<PlayedGame, 'counts'>>): { words: string; settled: boolean } | null {
  if (report === 'void')
    return { words: 'You reported this. It counts nowhere now.', settled: true };
  if (report === 'stands')
    return counts === undefined || isInFigures({ counts })
      ? { words: LOOKED_AT, settled: true }
      : null;
  if (report === null || report === undefined) return null;
  const what = {
    not_mine: 'You reported: not mine.',
    machine: 'You reported the machine.',
    other: 'You reported this.',
  }[report_reason ?? 'other'];
  return { words: `${what} Staff will take a look.`, settled: false };
}

/** What a game's button opens; null for a void game without a report to show. */
export function opens({
  report,
  counts,
}: Reported & Pick<PlayedGame, 'counts'>): 'form' | 'report' | null {
  if (report === 'open' || report === 'void') return 'report';
  return counts === 'void' ? null : 'form';
}
