import { type KeyboardEvent, useEffect, useRef } from 'react';
import { goodShare, markerAt, SQUARE_SHARE } from './game.ts';
import { type Game, lessMotion } from './use-game.ts';

const percent = (share: number) => `${100 * share}%`;
const centred = (share: number) => ({ left: percent(0.5 - share / 2), width: percent(share) });

function Meter({ began, held, misses }: { began: number | null; held: boolean; misses: number }) {
  const marker = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      const at = began === null || held ? 0.5 : markerAt(performance.now() - began, lessMotion());
      if (marker.current) marker.current.style.left = percent(at);
      if (began !== null && !held) frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [began, held]);
  return (
    <div
      className="meter"
      role="img"
      aria-label={
        held
          ? 'The meter stands still: every shot is a hit'
          : 'Timing: shoot when the ball is in the square'
      }
    >
      <span className="meter__good" style={centred(goodShare(misses))} />
      <span className="meter__square" style={centred(SQUARE_SHARE)} />
      <span className="meter__ball" ref={marker} />
    </div>
  );
}

type DeckProps = { game: Game; held: boolean; onHold: (held: boolean) => void; inert: boolean };

/** The meter, and the shoot button, which gets the focus when a game begins (LOOK-91). */
export function Deck({ game, held, onHold, inert }: DeckProps) {
  const button = useRef<HTMLButtonElement>(null);
  const { began, shoot } = game;
  const pressed = useRef(false);

  useEffect(() => {
    if (began !== null) button.current?.focus({ preventScroll: true });
  }, [began]);

  useEffect(() => {
    if (began === null) return;
    // Shoot unless another control has the focus.
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (![' ', 'Enter'].includes(event.key) || event.repeat) return;
      if (event.target instanceof Element && event.target.closest('button, a, input, summary, pre'))
        return;
      event.preventDefault();
      shoot();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [began, shoot]);

  // Shoot on keydown, because a click comes only on release.
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== ' ' && event.key !== 'Enter') return;
    event.preventDefault();
    if (event.type === 'keydown' && !event.repeat) shoot();
  };
  return (
    <div className="deck" inert={inert}>
      <Meter began={began} held={held} misses={game.tally.misses} />
      <button
        ref={button}
        className="btn btn--primary"
        type="button"
        onKeyDown={onKey}
        onKeyUp={onKey}
        onPointerDown={() => {
          pressed.current = true;
          shoot();
        }}
        onClick={() => {
          // Screen readers and switch devices click without a pointer.
          if (!pressed.current) shoot();
          pressed.current = false;
        }}
      >
        Shoot{' '}
        <span aria-hidden="true">
          <kbd>Space</kbd>
        </span>
      </button>
      <p className="hint">
        <span className="hint__how">
          Flick the ball up, or press <kbd>Space</kbd> when it is in the square. A hit is 30, off
          the square 50. Too fast?{' '}
        </span>
        <button className="toggle" type="button" aria-pressed={held} onClick={() => onHold(!held)}>
          Hold the meter still
        </button>
      </p>
    </div>
  );
}
