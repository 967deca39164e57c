// The rules of the court's game (LOOK-91).

export const GAME_S = 20;
export const HIT_POINTS = 30;
export const SQUARE_POINTS = 50;
/** A ball's flight, during which shots do not count. */
export const SHOT_MS = 450;
/** The share of the meter (0 to 1) for the painted square, and for a hit. */
export const SQUARE_SHARE = 0.14;
const GOOD_SHARE = 0.36;
/** After every three misses in a row, the share for a hit grows, until the next hit. */
const MISSES_TO_GROW = 3;
const GROWTH = 0.06;
/** How long the marker takes from one end to the other. */
const SWEEP_MS = 1100;
const STEPS = 9;
/** The marker turns at this distance from an end. */
const EDGE = 0.02;
const MIDDLE = 0.5;

/** The board, in the scene's coordinates. */
export const BOARD = { left: 180, right: 600, top: 34, bottom: 290 };
export const BALL = { x: 390, y: 548 };
const FLICK_LEAST = 24;

export type Outcome = 'square' | 'hit' | 'miss';
export type Tally = {
  score: number;
  shots: number;
  hits: number;
  squares: number;
  misses: number;
};
export const NO_SHOTS: Tally = { score: 0, shots: 0, hits: 0, squares: 0, misses: 0 };

/** The share of the meter (0 to 1) for a hit after `misses` misses in a row. */
export function goodShare(misses: number): number {
  return Math.min(1, GOOD_SHARE + GROWTH * Math.floor(misses / MISSES_TO_GROW));
}

/** The marker's position (0 to 1), `ms` after the start. `stepped`: reduced motion. */
export function markerAt(ms: number, stepped: boolean): number {
  const sweeps = ms / (stepped ? 2 * SWEEP_MS : SWEEP_MS);
  const way = sweeps % 1;
  const forth = Math.floor(sweeps) % 2 === 0 ? way : 1 - way;
  const eased = forth < 0.5 ? 2 * forth ** 2 : 1 - 2 * (1 - forth) ** 2;
  const part = stepped ? Math.min(STEPS - 1, Math.floor(forth * STEPS)) / (STEPS - 1) : eased;
  return EDGE + (1 - 2 * EDGE) * part;
}

/**
 * `marker` is from 0 to 1. `misses`: how many in a row before the shot. While the meter stands
 * still (`held`), every shot at the board hits.
 */
export function judgeShot(
  { marker, held, onBoard }: { marker: number; held: boolean; onBoard: boolean },
  misses: number,
): Outcome {
  if (!onBoard) return 'miss';
  if (held) return 'hit';
  const off = Math.abs(marker - MIDDLE);
  if (off <= SQUARE_SHARE / 2) return 'square';
  return off <= goodShare(misses) / 2 ? 'hit' : 'miss';
}

/** Adds a shot to the tally. */
export function count(tally: Tally, outcome: Outcome): Tally {
  const shots = tally.shots + 1;
  if (outcome === 'miss') return { ...tally, shots, misses: tally.misses + 1 };
  const square = outcome === 'square';
  return {
    score: tally.score + (square ? SQUARE_POINTS : HIT_POINTS),
    shots,
    hits: tally.hits + 1,
    squares: tally.squares + (square ? 1 : 0),
    misses: 0,
  };
}

type Point = { x: number; y: number };
/** The x at which a flick or drag aims, at the board's mid-height; null if short or not upwards. */
export function aimOf(from: Point, to: Point): number | null {
  const up = from.y - to.y;
  if (up <= 0 || Math.hypot(to.x - from.x, up) < FLICK_LEAST) return null;
  const middle = (BOARD.top + BOARD.bottom) / 2;
  return BALL.x + ((to.x - from.x) / up) * (BALL.y - middle);
}

/** Whether a ball at `x` hits the board. */
export function crossesBoard(x: number): boolean {
  return x >= BOARD.left && x <= BOARD.right;
}

/** The seconds left, rounded up, `ms` after the start. */
export function secondsLeft(ms: number): number {
  return Math.max(0, Math.ceil(GAME_S - ms / 1000));
}
