import { whyUncounted } from '#contract/rules/team-week.ts';
import type { LeagueStats } from '#contract/wire/leagues.ts';
import { serverNow } from '../ui/server-clock.ts';

// Make formatters where they are used: made with the module, four of them delayed the code.
/** "Mon 7 Dec", by default in the phone's time zone. */
const dayWords = (at: Date, timeZone?: string): string =>
  at
    .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', timeZone })
    .replace(',', '');

/** "Mon 7 Dec"; `day` is `YYYY-MM-DD`. */
export const mondayWords = (day: string): string => dayWords(new Date(`${day}T00:00Z`), 'UTC');

/** "Thu 3 Dec, 00:00" in the phone's time zone. */
export function momentWords(iso: string): string {
  const at = new Date(iso);
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return `${dayWords(at)}, ${time}`;
}

const SUFFIX: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' };
/** "2nd of 6" */
export const placeWords = (place: number, teams: number): string =>
  `${place}${SUFFIX[new Intl.PluralRules('en', { type: 'ordinal' }).select(place)] ?? 'th'} of ${teams}`;

/** Until when late games of a season in grace count (SEASON-20), or “Not final yet.” */
export const lateWords = ({ settles_at }: { settles_at: string | null }): string =>
  isStillLate(settles_at) ? `Late games count until ${momentWords(settles_at)}.` : 'Not final yet.';

/** Whether late games still count. */
export const isStillLate = (settles_at: string | null): settles_at is string =>
  settles_at !== null && Date.parse(settles_at) > serverNow();

/** When a team joins the running season (SEASON-34): "Your team joins on Mon 7 Dec". */
export const joinsWords = ({ season_starts_at }: Pick<LeagueStats, 'season_starts_at'>): string =>
  `Your team joins on ${season_starts_at && dayWords(new Date(season_starts_at))}`;

/**
 * Why the running week does not count for the team (SEASON-04, SEASON-07, SEASON-32). After a season:
 * the team's final place and when the next season begins. In a postponed week: the reason. null in a
 * week that counts, and before the first season.
 */
export function betweenWords(
  stats: Pick<LeagueStats, 'season' | 'season_starts_at'>,
): string | null {
  const { season } = stats;
  const why = whyUncounted(stats);
  if (season === null || why === null || why === 'not_begun') return null;
  if (why === 'postponed') return `Postponed: ${season.postponed}`;
  if (why === 'outside') return 'Your team is not in this season: games count for you.';
  if (why === 'joins') return `${joinsWords(stats)}: games count for you until then.`;
  const place =
    season.place === null ? '' : `${season.name}: ${placeWords(season.place, season.teams)}. `;
  const late = season.state === 'grace' ? `${lateWords(season)} ` : '';
  const next =
    season.next_starts_on === null
      ? 'No next season yet.'
      : `The next season begins ${mondayWords(season.next_starts_on)}.`;
  return `${place}${late}${next}`;
}
