import { RULED } from '#contract/rules/ruled-words.ts';
import type { LeagueDecided } from '#contract/wire/inbox.ts';
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
  ...RULED,
};

function doneOf({ decision, team, other, after }: LeagueDecided): keyof typeof LEAGUE_DONE {
  if (decision === 'ruled') return after as keyof typeof RULED;
  if (decision !== 'moved') return decision;
  if (team === null) return 'off';
  return other === null ? 'put' : 'moved';
}

/** The sentence of a decision about a league in parts; players and teams link `to` their pages. */
export function decidedParts(of: LeagueDecided): { text: string; to?: string }[] {
  const { player, team, other, before, after, week_number: week } = of;
  const linkTo = (one: { id: string } | null, path: string) =>
    one === null ? {} : { to: `/console/${path}/${one.id}` };
  const ofTeam = (one: typeof team) => ({ text: one?.name ?? '', ...linkTo(one, 'leagues/teams') });
  const names: Record<string, { text: string; to?: string }> = {
    player: { text: nameOf({ player }), ...linkTo(player, 'players') },
    team: ofTeam(team),
    other: ofTeam(other),
    home: ofTeam(team),
    away: ofTeam(other),
    before: { text: before ?? '' },
    after: { text: after ?? '', ...linkTo(team, 'leagues/teams') },
    week: { text: `${week ?? ''}` },
  };
  return LEAGUE_DONE[doneOf(of)].split(/[{}]/).map((text) => names[text] ?? { text });
}
