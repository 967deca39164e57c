/** What a ruling has made of a matchup (SEASON-30). `none`: the ruling is removed. */
export const RULED = {
  home: 'Week {week}: {home} beat {away} by forfeit',
  away: 'Week {week}: {away} beat {home} by forfeit',
  both_lose: 'Week {week}: {home} and {away} both lose',
  annulled: 'Week {week}: {home} against {away} is annulled',
  none: 'Week {week}: the totals of {home} and {away} decide again',
};

type Ruled = { week: number; home: string; away: string };

/** RULED with a matchup’s values: `Week 5: Rim Reapers beat Net Profits by forfeit`. */
export function ruledWords(ruling: keyof typeof RULED, matchup: Ruled): string {
  return RULED[ruling].replace(/\{(\w+)\}/g, (_, name: keyof Ruled) => String(matchup[name]));
}
