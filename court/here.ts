import type { CourtSetup } from '#contract/wire/court.ts';

type DemoPlayer = CourtSetup['players'][number];
/** `here`: the player who has signed in on this browser. */
export type CourtPlayer = DemoPlayer & { here?: true };

/** Where the player's app keeps its user, at the same origin (ACC-40). */
const USER_KEY = 'user';

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The player signed in on this browser; null if nobody is, or storage is blocked (HAND-93). */
export function playerHere(read: () => string | null): CourtPlayer | null {
  try {
    const user: unknown = JSON.parse(read() ?? 'null');
    if (typeof user !== 'object' || user === null) return null;
    const { uuid, username, avatar_color, jersey_number } = user as Record<string, unknown>;
    if (![uuid, username, avatar_color, jersey_number].every(isText)) return null;
    return {
      uuid: uuid as string,
      username: username as string,
      avatar_color: avatar_color as string,
      jersey_number: jersey_number as string,
      team: null,
      demo_account: false,
      here: true,
    };
  } catch {
    return null;
  }
}

/** The player of this browser first, then the demo's. */
export function withPlayerHere(
  players: readonly DemoPlayer[],
  here: CourtPlayer | null = playerHere(() => localStorage.getItem(USER_KEY)),
): CourtPlayer[] {
  if (here === null) return [...players];
  return [here, ...players.filter(({ uuid }) => uuid !== here.uuid)];
}
