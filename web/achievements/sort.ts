import type { Achievement, UserAchievement } from '#contract/wire/achievements.ts';

const FIRST_GAME = 'first-game';

export type WonAchievement = Achievement & Pick<UserAchievement, 'unlocked_at'>;

/** The share that is done; -1, to come last, for an achievement that cannot be counted. */
function nearness({ progress }: Achievement): number {
  return progress === null ? -1 : progress.have / progress.need;
}

const left = ({ progress }: Achievement) => (progress === null ? 0 : progress.need - progress.have);

const NEXT_UP = 2;

/** The two begun achievements nearest to their goal; if none is begun, the first game (HAND-94). */
function nextUp(open: readonly Achievement[]): Achievement[] {
  const begun = open.filter(({ progress }) => progress !== null && progress.have > 0);
  return begun.length > 0 ? begun.slice(0, NEXT_UP) : open.filter(({ key }) => key === FIRST_GAME);
}

/**
 * `next`: those that are next up. `won`: in the order of the parameter `won`, newest first. `open`:
 * all others, by the share done, then by how little is left (HAND-94).
 */
export function sortAchievements(
  all: readonly Achievement[],
  won: readonly UserAchievement[],
): { next: Achievement[]; won: WonAchievement[]; open: Achievement[] } {
  const byKey = new Map(all.map((one) => [one.key, one]));
  const keys = new Set(won.map(({ key }) => key));
  const open = all
    .filter(({ key }) => !keys.has(key))
    .sort((one, other) => nearness(other) - nearness(one) || left(one) - left(other));
  const next = nextUp(open);
  return {
    next,
    won: won.flatMap(({ key, unlocked_at }) => {
      const achievement = byKey.get(key);
      return achievement === undefined ? [] : { ...achievement, unlocked_at };
    }),
    open: open.filter((one) => !next.includes(one)),
  };
}
