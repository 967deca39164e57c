import type { CSSProperties } from 'react';
import { useEffect, useRef, useState } from 'react';
import { hslToHex, hueOf } from '#brand/hue.ts';
import { AVATAR_SATURATION, SHADE_LIGHTNESSES } from '#contract/rules/jersey.ts';
import { Jersey } from '../avatar/Jersey.tsx';
import styles from './Celebration.module.css';

/** After this time the jersey starts to fly. Equal to --t-party. */
const PARTY_MS = 1200;
const LANDING_MS = 420;
const PIECES = 72;
/** The jersey's tilt while it flies, in degrees. */
const TILT = -4;
/** The jersey on the page, on which the flying one lands. */
const LANDING = 'main [role="img"][aria-label^="Jersey "]';

interface Piece {
  round: boolean;
  style: CSSProperties;
}

function confetti(color: string): Piece[] {
  const hue = hueOf(color);
  const shades = SHADE_LIGHTNESSES.map((lightness) => hslToHex(hue, AVATAR_SATURATION, lightness));
  const colours = [...shades, 'var(--navy)', 'var(--red)', '#fff'];
  return Array.from({ length: PIECES }, (_, index) => {
    const angle = Math.random() * 2 * Math.PI;
    const far = 0.25 + Math.random() * 0.75;
    const round = index % 5 === 0;
    const width = 7 + Math.random() * 6;
    return {
      round,
      style: {
        '--x': `${Math.cos(angle) * far * 75}vw`,
        '--y': `${Math.sin(angle) * far * 60}vh`,
        '--turn': `${Math.round(Math.random() * 720)}deg`,
        width,
        height: round ? width : width * (1 + Math.random()),
        background: colours[index % colours.length],
      } as CSSProperties,
    };
  });
}

/**
 * The Let's Play! animation: the jersey drops in and lands on the page underneath (LOOK-35). Calls
 * `onDone` at the end, or at a tap or key. Do not mount this with reduced motion.
 */
export function Celebration({
  username,
  color,
  number,
  onDone,
}: {
  username: string;
  /** `#RRGGBB` */
  color: string;
  number: string;
  onDone: () => void;
}) {
  const [pieces] = useState(() => confetti(color));
  const [ending, setEnding] = useState(false);
  const jersey = useRef<HTMLDivElement>(null);
  const done = useRef(onDone);

  useEffect(() => {
    const skip = () => done.current();
    document.addEventListener('keydown', skip);
    const timer = setTimeout(() => setEnding(true), PARTY_MS);
    return () => {
      document.removeEventListener('keydown', skip);
      clearTimeout(timer);
    };
  }, []);

  useEffect(() => {
    const flying = jersey.current;
    if (!ending || !flying) return;
    const place = document.querySelector<SVGElement>(LANDING);
    const landing = flying.animate(
      { transform: [`rotate(${TILT}deg)`, place ? pathBetween(flying, place) : 'scale(0.6)'] },
      { duration: LANDING_MS, easing: 'cubic-bezier(.16,1,.3,1)', fill: 'forwards' },
    );
    if (place) place.style.visibility = 'hidden';
    landing.onfinish = () => done.current();
    return () => {
      if (place) place.style.visibility = '';
      landing.cancel();
    };
  }, [ending]);

  return (
    <div
      className={`${styles.party} ${ending ? styles.ending : ''}`}
      style={{ '--player': color } as CSSProperties}
      data-player
      aria-hidden="true"
      onPointerDown={onDone}
    >
      <div className={styles.rays} />
      {pieces.map(({ round, style }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is made once and never changes
          key={index}
          className={`${styles.piece} ${round ? styles.round : ''}`}
          style={style}
        />
      ))}
      <div ref={jersey} className={styles.jersey}>
        <Jersey username={username} color={color} number={number} />
      </div>
    </div>
  );
}

function pathBetween(from: HTMLElement, to: Element): string {
  const target = to.getBoundingClientRect();
  const scale = target.width / from.offsetWidth;
  const x = target.x + target.width / 2 - (from.offsetLeft + from.offsetWidth / 2);
  const y = target.y + target.height / 2 - (from.offsetTop + from.offsetHeight / 2);
  return `translate(${x}px, ${y}px) scale(${scale})`;
}
