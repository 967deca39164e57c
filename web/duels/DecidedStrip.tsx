import type { Duel } from '#contract/wire/duels.ts';
import { Link } from '../router.tsx';
import { seeDuel } from '../session/seen.ts';
import { Strip } from '../ui/Strip.tsx';
import { Ball } from './Ball.tsx';
import { rivalName, scoresOf, stripTitle } from './words.ts';

/** How a duel ended, on the pass; nothing if a correction left it without a game. */
export function DecidedStrip({ duel }: { duel: Duel }) {
  if (duel.result === 'none') return null;
  return (
    <Strip
      as={Link}
      to="/duels"
      onFollow={() => seeDuel(duel.id)}
      picture={<Ball won={duel.result === 'won'} />}
      title={stripTitle(duel.result, scoresOf(duel))}
    >
      With {rivalName(duel)}
    </Strip>
  );
}
