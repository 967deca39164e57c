import type { LeagueDecided } from '#contract/wire/inbox.ts';
import type { Ruling } from '#contract/wire/leagues.ts';
import { nameOf } from './words.ts';

/** What was decided about a league. */
const LEAGUE_DONE = {
  put: 'Put {player} on {team}',
  off: 'Took {player} off {other}',
  moved: 'Moved {player} from {other} to {team}',
  accepted: 'Yes to {player} for {team}',
  declined: 'No to {player} for {team}',
  reopened: '{player} waits again for {team}',
  made: 'Made the team {team}',
  renamed: 'Renamed {before} to {after}',
  deleted: 'Deleted the team {before}',
  home: 'Ruled week {week}: {team} beat {other} by forfeit',
  away: 'Ruled week {week}: {other} beat {team} by forfeit',
  both_lose: 'Ruled week {week}: {team} and {other} both lose',
  annulled: 'Ruled week {week}: {team} against {other} is annulled',
  none: 'Week {week}, {team} against {other}: the totals decide again',
};

function doneOf({ decision, team, other, after }: LeagueDecided): keyof typeof LEAGUE_DONE {
  if (decision === 'ruled') return after as Ruling | 'none';
  if (decision !== 'moved') return decision;
  if (team === null) return 'off';
  return other === null ? 'put' : 'moved';
}

/** The sentence of a decision about a league in parts; players and teams link `to` their pages. */
export function decidedParts(of: LeagueDecided): { text: string; to?: string }[] {
  const { player, team, other, before, after, week_number: week } = of;
  const linkTo = (one: { id: string } | null, path: string) =>
    one === null ? {} : { to: `/console/${path}/${one.id}` };
  const names: Record<string, { text: string; to?: string }> = {
    player: { text: nameOf({ player }), ...linkTo(player, 'players') },
    team: { text: team?.name ?? '', ...linkTo(team, 'leagues/teams') },
    other: { text: other?.name ?? '', ...linkTo(other, 'leagues/teams') },
    before: { text: before ?? '' },
    after: { text: after ?? '', ...linkTo(team, 'leagues/teams') },
    week: { text: `${week ?? ''}` },
  };
  return LEAGUE_DONE[doneOf(of)].split(/[{}]/).map((text) => names[text] ?? { text });
}
