import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { ClosedWeek } from '#contract/wire/leagues.ts';

/** “Won by n”, “Lost by n” or “Level” (LOOK-61). */
export function headline({ team_total_score, opponent_total_score }: ClosedWeek): string {
  const ahead = team_total_score - opponent_total_score;
  if (ahead === 0) return 'Level';
  return `${ahead > 0 ? 'Won' : 'Lost'} by ${Math.abs(ahead)}`;
}

export function inWords(week: ClosedWeek): string {
  const result = headline(week);
  const verb = result === 'Level' ? 'drew level' : result.toLowerCase();
  const totals = `${week.team_total_score} to ${week.opponent_total_score}`;
  const best = week.best
    ? ` Best game: ${week.best.username?.toUpperCase() ?? A_PLAYER}, ${week.best.score}.`
    : '';
  return `Week ${week.week}: ${week.team} ${verb}, ${totals} against ${week.opponent}.${best}`;
}
