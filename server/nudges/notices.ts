import { NUDGE_UNTIL_MS } from '#contract/rules/nudges.ts';
import type { Queryable } from '../db/transaction.ts';
import { addDays, startOf } from '../leagues/calendar.ts';
import { readLeagueStats } from '../leagues/this-week.ts';
import { shortName } from '../push/message.ts';
import { plan } from '../push/notices.ts';
import type { Teller } from '../push/planner.ts';

/* What a nudged player is told (PUSH-03), from the same read as the strip on the profile. */

const HOUR_MS = 3_600_000;

type Nudged = { player_id: number; week: string; timezone: string };

/**
 * Plans the notices of nudges. Whether a player takes them is read when they are sent (PUSH-16).
 */
export function planNudged(on: Queryable, nudged: readonly Nudged[], now: Date): Promise<unknown> {
  return plan(
    on,
    nudged.map(({ player_id, week, timezone }) => ({
      player_id,
      kind: 'nudge' as const,
      subject: `nudge ${week}`,
      data: {},
      worth_until: new Date(startOf(addDays(week, 7), timezone).getTime() - NUDGE_UNTIL_MS),
    })),
    now,
  );
}

const number = (gap: number) => gap.toLocaleString('en');

export const nudgeTeller: Teller = {
  rank: () => 3,
  words: async (deps, { player_id }) => {
    const [stats] = await readLeagueStats(deps, [player_id]);
    const nudged = stats?.nudged;
    if (!nudged) return null;
    const { by, left, gap } = nudged;
    const games = left === 1 ? '1 league game' : `${left} league games`;
    const ms = new Date(nudged.closes_at).getTime() - deps.clock.now().getTime();
    const hours = Math.floor(ms / HOUR_MS);
    const path = '/profile';
    if (by === null)
      return {
        title: gap === 0 ? 'Your team is level' : `Your team is ${number(gap)} behind`,
        body: `${games} left. The week closes in ${hours} h.`,
        path,
      };
    return {
      title: `${shortName(by)} nudges you`,
      body:
        gap === 0
          ? `${games} left, your team is level. The week closes in ${hours} h.`
          : `${games} left, your team is ${number(gap)} behind. The week closes in ${hours} h.`,
      path,
    };
  },
};
