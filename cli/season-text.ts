import { AWARD_WORDS } from '#contract/rules/awards.ts';
import type {
  NextSeasonPreview,
  SeasonForStaff,
  SeasonListed,
  seasonChanged,
} from '#contract/wire/seasons.ts';
import { scheduleText } from './schedule-text.ts';
import { bold, count, inert, localTime, table } from './terminal.ts';

type Changed = (typeof seasonChanged)['_output'];

/** What keeps a season open, in words; empty if nothing does. */
export function openText({ open }: Pick<SeasonForStaff, 'open'>): string {
  const parts = [
    ...(open.held > 0 ? [count(open.held, 'held game')] : []),
    ...(open.complaints > 0 ? [count(open.complaints, 'open report')] : []),
  ];
  return parts.length === 0 ? '' : `Still open: ${parts.join(', ')}.`;
}

export const listText = (seasons: SeasonListed[]) =>
  table(
    ['ID', 'SEASON', 'STATE', 'BEGINS', 'LAST WEEK', 'FINAL BY', 'TEAMS'],
    seasons.map((one) => [
      one.id,
      one.name,
      one.touched ? `${one.state}, to correct` : one.state,
      one.starts_on,
      one.last_week ?? 'open',
      one.settles_at === null ? '' : localTime(one.settles_at),
      one.entries.length,
    ]),
    'No seasons.',
  );

/** The text of a change: its sentences, then the changed season. */
export function changedText({ season, changes }: Changed): string {
  const { league, name, state, starts_on, last_week, settles_at } = season;
  const until = last_week === null ? 'no end yet' : `its last week is that of ${last_week}`;
  const final =
    state === 'final' || settles_at === null ? '' : `, final by ${localTime(settles_at)}`;
  return [
    ...changes.map(inert),
    `${inert(league)}, ${inert(name)}: ${state}, from ${starts_on}, ${until}${final}.`,
  ].join('\n');
}

/** Why a row comes after a row with equal wins (SEASON-16); empty if the wins differ. */
function reasonOf({ by, note }: SeasonForStaff['rows'][number]): string {
  const reasons = {
    wins: '',
    total: 'level on wins, higher total above',
    head_to_head: 'level, lost their matchups',
    best_week: 'level, better weeks above',
  };
  return [by === null ? '' : reasons[by], note ?? ''].filter((part) => part !== '').join('; ');
}

export function pageText(page: SeasonForStaff): string {
  const { season, standings, rows, awards, corrections, changes } = page;
  const parts = [
    bold(changedText({ season, changes: [] })),
    table(
      ['', 'TEAM', 'WON', 'DRAWN', 'LOST', 'TOTAL', ''],
      standings.map((row, at) => [
        row.place,
        row.team,
        row.won,
        row.drawn,
        row.lost,
        row.total,
        rows[at] === undefined ? '' : reasonOf(rows[at]),
      ]),
      'No teams.',
    ),
    ...season.pauses.map(({ week, reason }) => `Postponed: ${week}, ${inert(reason)}`),
    ...awards.map(({ key, value, team, winners, more }) => {
      const names = winners.map(({ username }) => inert(username ?? 'Former player'));
      const who = names.length === 0 ? inert(team ?? '') : names.join(', ');
      return `${AWARD_WORDS[key]}: ${who}, ${value}${more > 0 ? ` + ${more} more` : ''}`;
    }),
    ...corrections.map(
      ({ version, at, reason, changes: done }) =>
        `Version ${version}, ${localTime(at)}: ${inert(reason)} (${done.map(inert).join('; ')})`,
    ),
    openText(page),
    ...(changes.length === 0 ? [] : ['A new count would change:', ...changes.map(inert)]),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

export function previewText(league: string, next: NextSeasonPreview): string {
  const leave = next.leave_at === 'final' ? ' once the former season is final' : '';
  return [
    `${bold(inert(next.name))}, from ${next.starts_on}${next.ends_on === null ? '' : ` to ${next.ends_on}`}, ${count(next.weeks, 'week')}.`,
    ...(next.begins_at_once
      ? ['This week has begun, so the season runs at once. That needs --at-once.']
      : []),
    `Teams: ${[...next.teams, ...next.new_teams.map((name) => `${name} (new)`)].map(inert).join(', ')}`,
    ...(next.left_out.length === 0 ? [] : [`Without the weeks of ${next.left_out.join(', ')}.`]),
    `${count(next.players_stay, 'player')} stay, ${next.players_leave} leave their teams${leave}; ${count(next.new_codes, 'new code')}.`,
    ...(next.schedule.length === 0 ? [] : [scheduleText({ league, schedule: next.schedule })]),
  ].join('\n');
}
