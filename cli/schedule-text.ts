import type { scheduleAnswer } from '#contract/wire/leagues.ts';
import { bold, inert } from './terminal.ts';

export type Schedule = (typeof scheduleAnswer)['_output'];

export function scheduleText({ league, schedule }: Schedule): string {
  if (schedule.length === 0)
    return `Nothing is scheduled yet. Make a season: ./backboard schedule generate "${inert(league)}" --weeks 10`;
  return schedule
    .map(({ week, from, to, matchups, bye }) => {
      const rows = matchups.map(({ home, away, home_total, away_total }) => {
        const totals = home_total === null ? '' : `  ${home_total} : ${away_total ?? 0}`;
        return `  ${inert(home)} – ${inert(away)}${totals}`;
      });
      const rest = bye === null ? [] : [`  ${inert(bye)} has a bye`];
      return [bold(`Week ${week}, ${from} to ${to}`), ...rows, ...rest].join('\n');
    })
    .join('\n');
}
