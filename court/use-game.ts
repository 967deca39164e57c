import { useCallback, useEffect, useRef, useState } from 'react';
import {
  BALL,
  count,
  crossesBoard,
  GAME_S,
  judgeShot,
  markerAt,
  NO_SHOTS,
  type Outcome,
  SHOT_MS,
  secondsLeft,
  type Tally,
} from './game.ts';
import { playTone } from './tone.ts';

const TICK_MS = 100;

/** A ball in the air. `x`: where it crosses the board's mid-height, in scene coordinates. */
export type Flight = { id: number; outcome: Outcome; x: number };

export type Game = {
  /** `performance.now()` at the start; null without a game. */
  began: number | null;
  seconds: number;
  /** A shot counts when its ball has landed. */
  tally: Tally;
  flight: Flight | null;
  start(): void;
  /** Shoots towards `x`, or straight, unless a ball is in the air. */
  shoot(x?: number): void;
};

export const lessMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Runs games (LOOK-91). `held`: the meter is stopped, so that every shot at the board hits. */
export function useGame(held: boolean, onEnd: (tally: Tally) => void): Game {
  const [began, setBegan] = useState<number | null>(null);
  const [seconds, setSeconds] = useState(GAME_S);
  const [shown, setShown] = useState(NO_SHOTS);
  const [flight, setFlight] = useState<Flight | null>(null);
  const tally = useRef(NO_SHOTS);
  const lastShot = useRef(Number.NEGATIVE_INFINITY);
  const end = useRef(onEnd);
  end.current = onEnd;

  const start = useCallback(() => {
    tally.current = NO_SHOTS;
    lastShot.current = Number.NEGATIVE_INFINITY;
    setShown(NO_SHOTS);
    setFlight(null);
    setSeconds(GAME_S);
    setBegan(performance.now());
  }, []);

  useEffect(() => {
    if (began === null) return;
    const ticking = setInterval(() => {
      const left = secondsLeft(performance.now() - began);
      setSeconds(left);
      if (left > 0) return;
      setBegan(null);
      setShown(tally.current);
      end.current(tally.current);
    }, TICK_MS);
    return () => clearInterval(ticking);
  }, [began]);

  const shoot = useCallback(
    (x = BALL.x) => {
      const now = performance.now();
      if (began === null || now - lastShot.current < SHOT_MS) return;
      lastShot.current = now;
      const marker = markerAt(now - began, lessMotion());
      const outcome = judgeShot({ marker, held, onBoard: crossesBoard(x) }, tally.current.misses);
      const after = count(tally.current, outcome);
      tally.current = after;
      playTone(outcome);
      setFlight({ id: after.shots, outcome, x });
      if (lessMotion()) setShown(after);
      else
        setTimeout(
          // If the next game has begun, keep its tally.
          () => setShown((last) => (tally.current.shots >= after.shots ? after : last)),
          SHOT_MS,
        );
    },
    [began, held],
  );

  return { began, seconds, tally: shown, flight, start, shoot };
}
