import { ageOn } from '#contract/rules/birthdate.ts';
import { BEST_GAMES, TAKEN_OUT, TAKEN_OUT_NOT_MINE, WEEK_GAMES } from '#contract/rules/games.ts';
import { isUnderAge } from '#contract/rules/of-age.ts';
import { bandOf } from '#contract/rules/players.ts';
import type { Counts } from '#contract/wire/games.ts';
import type { Decided } from '#contract/wire/inbox.ts';
import type { PlayerPage } from '#contract/wire/players.ts';
import { serverDate } from '../../web/ui/server-clock.ts';
import { logTime } from '../ui/times.ts';
import { othersChange, totalChange, weekName } from '../ui/week-words.ts';

type Game = PlayerPage['games'][number];

/** In place of a team out of reach (STAFF-40). */
export const OTHER_TEAM = 'On a team that you do not see';

/** Why a game counts for no team. */
const OUTSIDE: Record<Exclude<Counts, 'league' | 'bench'>, string> = {
  over_8: 'Over 8 games',
  league_mode_off: 'League mode off',
  no_team: 'No team',
  off_season: 'No season',
  paused: 'Week postponed',
  held: 'Held',
  void: 'Void',
};
const DID: Record<Decided['decision'], string> = {
  release: 'Released',
  discard: 'Discarded',
  void: 'Voided',
  restore: 'Restored',
  stands: 'Left as it is',
  return: 'Held again',
  reopen: 'Report reopened',
};

/** `League, 6 of 8`, `Bench for Air Ballers, 5 of 8`, `League mode off` */
export function countsFor(
  { counts, number, state, team }: Pick<Game, 'counts' | 'number' | 'state' | 'team'>,
  currentTeam: string | null,
): string {
  if (state === 'discarded') return 'Discarded';
  if (counts !== 'league' && counts !== 'bench') return OUTSIDE[counts];
  const where = counts === 'league' ? 'League' : 'Bench';
  const other = team === null || team === currentTeam ? '' : ` for ${team}`;
  return `${where}${other}, ${number} of 8`;
}

/** The last decision about a game, `Voided by Ines, Thu 19 Nov 09:10`, or null. */
export function decidedBy(decided: Decided | null, now = serverDate()): string | null {
  if (decided === null) return null;
  return `${DID[decided.decision]} by ${decided.by}, ${logTime(decided.at, now)}`;
}

const listed = (parts: readonly string[]) => new Intl.ListFormat('en-GB').format(parts);

/** The week's totals before and after a void or restore; empty without a team. */
function weekChange({ week, state }: Pick<Game, 'week' | 'state'>): string {
  if (week === null) return '';
  const others = othersChange(week);
  const eighth = state === 'counted' ? 'among the first 8' : 'over the first 8';
  const own = totalChange(week, ', because it is not among the best four');
  return ` W${weekName(week).slice(1)}: ${own}${others === '' ? '' : ` A later game is then ${eighth}: ${others}.`}`;
}

type Judged = Pick<Game, 'state' | 'week' | 'score' | 'report'>;

/** What the correction of a game changes, such as `it is out of the high score and the average. …`. */
export function correctionMeans(
  game: Judged,
  { username, highscore }: Pick<PlayerPage, 'username' | 'highscore'>,
): string {
  const reopened =
    game.report?.state === 'void'
      ? ' The report is open again: answer it in the inbox with “Void” or “Let it count”.'
      : '';
  if (game.state === 'void') return `it counts again.${weekChange(game)}${reopened}`;
  if (game.state === 'discarded')
    return `it waits in the inbox for “Release” or “Discard”.${reopened}`;
  const parts = [...(game.score === highscore ? ['the high score'] : []), 'the average'];
  return `it is out of ${listed(parts)}.${weekChange(game)} ${called({ username })} reads “${TAKEN_OUT}”. You can restore it.`;
}

/** What the player reads next to a void game (PROD-50, PROD-98). */
export const takenOutWords = (report: Game['report']): string =>
  report?.state === 'void' && report.reason === 'not_mine' ? TAKEN_OUT_NOT_MINE : TAKEN_OUT;

/** Whether a game counts in the player's own figures and for no team. */
export const isOwnOnly = ({ state, counts }: Pick<Game, 'state' | 'counts'>): boolean =>
  state === 'counted' && counts !== 'league' && counts !== 'bench';

type OnTeam = Pick<PlayerPage, 'username' | 'team' | 'week' | 'league_mode_enabled'>;

/** The player's name, or `The player`. */
export const called = ({ username }: Pick<PlayerPage, 'username'>): string =>
  username ?? 'The player';

/** `This week: 4 of 8 games.`, or that there are none. */
export function weekOf({ team, week: { games, counts } }: OnTeam): string {
  if (team !== null && !counts && games === 0) return 'Games of this week count for no season.';
  if (games === 0) return 'No league game this week yet.';
  return `This week: ${games} of ${WEEK_GAMES} games.`;
}

/** ` 4 games of this week stay with Air Ballers, 1,204 in total.`, or nothing. */
function stays({ team, week: { own, total } }: OnTeam): string {
  if (team === null || own === 0) return '';
  const games = own === 1 ? '1 game of this week stays' : `${own} games of this week stay`;
  const best = own > BEST_GAMES ? ': the best four count' : '';
  return ` ${games} with ${team.name}, ${total.toLocaleString('en')} in total${best}.`;
}

const longDay = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
});

/**
 * For which team the next games and this week's games count after a move to `to` (LEAGUE-03,
 * LEAGUE-07), as the rest of a sentence. `league` is the new team's league; undefined while it
 * loads.
 */
export function moveMeans(
  player: OnTeam,
  to: { name: string },
  league: { name: string; week: number; starts_on: string } | undefined,
): string {
  const left = WEEK_GAMES - player.week.games;
  const next =
    league?.week === 0
      ? `${league.name} has not begun: games count for ${to.name} from ${longDay.format(new Date(`${league.starts_on}T00:00:00Z`))}.`
      : left <= 0
        ? `this week’s ${WEEK_GAMES} are played, so games count for ${to.name} from next week.`
        : left === 1
          ? `one more game of this week counts, for ${to.name}.`
          : `the next ${left} games of this week count for ${to.name}.`;
  const off = player.league_mode_enabled
    ? ''
    : ` League mode is off: games count for no team until ${called(player)} turns it on.`;
  return `${next}${stays(player)}${off}`;
}

/** As `moveMeans`, for a player who leaves the team. */
export const takeOffMeans = (player: OnTeam): string =>
  `the next games count for no team.${stays(player)}`;

/**
 * Which age band this birth date gives, and what that changes; null while the date is incomplete or
 * in the future.
 */
export function becomes(
  date: string,
  { age, adult_age }: Pick<PlayerPage, 'age' | 'adult_age'>,
  now = serverDate(),
): { age: string; effect: string } | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || date > now.toISOString().slice(0, 10)) return null;
  const band = bandOf(ageOn(date, now));
  if (band === 'under 13') return { age: band, effect: 'perhaps too young to have an account' };
  if (isUnderAge(date, adult_age, now))
    return { age: band, effect: 'only their league sees the name' };
  return {
    age: band,
    effect: band === age ? 'nothing changes for others' : 'they choose who sees the name',
  };
}
