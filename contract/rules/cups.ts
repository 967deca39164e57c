/* The limits and the words of cups (CUP-01, CUP-06, CUP-07). */

export const CUP_NAME_MAX = 40;
export const CUP_SIDES_MIN = 2;
export const CUP_SIDES_MAX = 64;
export const CUP_BEST_MAX = 10;
export const CUP_OF_MAX = 20;
/** What counts by default: the best 4 of 8 games of a player, the best 8 of 16 of a team. */
export const CUP_DEFAULTS = {
  players: { best: 4, of: 8, per_player: null },
  teams: { best: 8, of: 16, per_player: 4 },
} as const;
/** From this many sides, the losers of the semi-finals can play for third place. */
export const THIRD_FROM = 4;

export const CUP_MINUTES = 75;
export const CUP_MINUTES_STEP = 15;
export const CUP_MINUTES_MAX = 72 * 60;
export const CUP_PAUSE = 15;
export const CUP_PAUSE_MAX = 72 * 60;
/** A cup begins at most this many days ahead. */
export const CUP_DAYS_AHEAD = 60;
/** For how many days a final cup can be corrected (CUP-24). */
export const CUP_CORRECTABLE_DAYS = 30;

export const CUP_KINDS = ['players', 'teams'] as const;
export type CupKind = (typeof CUP_KINDS)[number];
export const CUP_WINDOWS = ['hours', 'weeks'] as const;
export type CupWindows = (typeof CUP_WINDOWS)[number];
export const CUP_HOW = [
  'score',
  'best_game',
  'seed',
  'no_show',
  'walkover',
  'ruling',
  'bye',
] as const;
/** How a pairing was won (CUP-12). */
export type CupHow = (typeof CUP_HOW)[number];

/** Round 0 is the first. The pairing for third place has the final's round, and slot 1. */
export type CupPlace = { round: number; slot: number };

/** A round's name, counted back from the final (CUP-06). */
export function roundName(round: number, rounds: number): string {
  const left = 2 ** (rounds - round);
  if (left === 2) return 'Final';
  if (left === 4) return 'Semi-finals';
  if (left === 8) return 'Quarter-finals';
  return `Round of ${left}`;
}

/** A pairing's name where it stands alone, such as `Semi-final`. */
export function pairingName({ round, slot }: CupPlace, rounds: number): string {
  const left = 2 ** (rounds - round);
  if (left === 2) return slot === 1 ? 'Third place' : 'Final';
  if (left === 4) return 'Semi-final';
  if (left === 8) return 'Quarter-final';
  return `Round of ${left}`;
}

/** For a cup that `onlyThirdIsOpen`. */
export const ONLY_THIRD_IS_OPEN =
  'The final is decided, and the cup ends once third place is decided.';
/** Whether the final is decided and third place is not. */
export function onlyThirdIsOpen(
  rounds: readonly { pairings: readonly { decided: boolean }[] }[],
): boolean {
  const [final, third] = rounds[rounds.length - 1]?.pairings ?? [];
  return final?.decided === true && third?.decided === false;
}

type OpenRound = {
  starts_at: string | null;
  ends_at: string | null;
  pairings: readonly {
    decided: boolean;
    starts_at?: string | null | undefined;
    ends_at?: string | null | undefined;
  }[];
};

/**
 * The index of the current round at `now` (CUP-30, CUP-32): the first one with a pairing whose
 * window runs. Else the last one that has begun and has an open pairing, because a held game can
 * keep an earlier round open all night. Else the first with an open pairing, else the last. A
 * pairing without a window has that of its round.
 */
export function currentRound(rounds: readonly OpenRound[], now: number): number {
  const hasCome = (time: string | null) => time !== null && Date.parse(time) <= now;
  const isOpen = ({ pairings }: OpenRound) => pairings.some(({ decided }) => !decided);
  const runs = (round: OpenRound) =>
    round.pairings.some(
      ({ decided, starts_at, ends_at }) =>
        !decided && hasCome(starts_at ?? round.starts_at) && !hasCome(ends_at ?? round.ends_at),
    );
  const running = rounds.findIndex(runs);
  if (running >= 0) return running;
  for (let at = rounds.length - 1; at >= 0; at -= 1) {
    const round = rounds[at];
    if (round !== undefined && isOpen(round) && hasCome(round.starts_at)) return at;
  }
  const open = rounds.findIndex(isOpen);
  return open >= 0 ? open : rounds.length - 1;
}

/** A pairing's short name, such as `QF 2`, unique within the cup. */
export function pairingLabel(place: CupPlace, rounds: number): string {
  const left = 2 ** (rounds - place.round);
  if (left === 2) return pairingName(place, rounds);
  const short = left === 4 ? 'SF' : left === 8 ? 'QF' : `R${left}`;
  return `${short} ${place.slot + 1}`;
}

/** The pairing with this short name; null if the cup has none. */
export function pairingNamed(
  label: string,
  places: readonly CupPlace[],
  rounds: number,
): CupPlace | null {
  const wanted = label.trim().toLowerCase();
  return places.find((place) => pairingLabel(place, rounds).toLowerCase() === wanted) ?? null;
}
