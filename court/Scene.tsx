import { type PointerEvent, useEffect, useRef, useState } from 'react';
import { aimOf, BALL, SHOT_MS } from './game.ts';
import { type Flight, lessMotion } from './use-game.ts';

const NET =
  'M20 22L34.8 44M41.6 22L54.4 44M41.6 22L34.8 44M63.2 22L74 44M63.2 22L54.4 44M84.8 22L93.6 44M84.8 22L74 44M106.4 22L113.2 44M106.4 22L93.6 44M128 22L113.2 44M34.8 44L32.5 65M54.4 44L49.1 65M34.8 44L49.1 65M74 44L65.7 65M54.4 44L65.7 65M93.6 44L82.3 65M74 44L82.3 65M113.2 44L98.9 65M93.6 44L98.9 65M113.2 44L115.5 65M32.5 65L42 86M49.1 65L58 86M49.1 65L42 86M65.7 65L74 86M65.7 65L58 86M82.3 65L90 86M82.3 65L74 86M98.9 65L106 86M98.9 65L90 86M115.5 65L106 86M42 86L42 107M58 86L54.8 107M42 86L54.8 107M74 86L67.6 107M58 86L67.6 107M90 86L80.4 107M74 86L80.4 107M106 86L93.2 107M90 86L93.2 107M106 86L106 107';
/** The ball's y at the painted square, at the rim, and below the net. */
const AT_SQUARE = 187;
const AT_RIM = 232;
const BELOW_NET = 400;
const BALL_RADIUS = 46;
/** The ball's scale at the backboard. */
const FAR = 0.6;

function meets({ outcome, x, id }: Flight): { x: number; y: number } {
  const side = id % 2 === 0 ? 1 : -1;
  if (outcome === 'square') return { x: BALL.x + 8 * side, y: AT_SQUARE };
  if (outcome === 'hit') return { x: BALL.x + 62 * side, y: AT_RIM };
  return {
    x: Math.abs(x - BALL.x) > 40 ? Math.max(60, Math.min(720, x)) : BALL.x + 150 * side,
    y: 120,
  };
}

function BallInTheAir({ flight }: { flight: Flight }) {
  const ball = useRef<SVGCircleElement>(null);
  const path = useRef<SVGPathElement>(null);
  const end = meets(flight);
  useEffect(() => {
    if (lessMotion()) return;
    const at = (x: number, y: number, scale: number) => `translate(${x}px, ${y}px) scale(${scale})`;
    const to = meets(flight);
    const last =
      flight.outcome === 'miss'
        ? { transform: at(to.x + (to.x - BALL.x) * 0.7, BELOW_NET, FAR), opacity: 0 }
        : { transform: at(BALL.x, BELOW_NET, FAR * 0.9), opacity: 0 };
    ball.current?.animate(
      [
        { transform: at(BALL.x, BALL.y, 1), opacity: 1, easing: 'cubic-bezier(.2,.7,.4,1)' },
        {
          transform: at(to.x, to.y, FAR),
          opacity: 1,
          offset: 0.6,
          easing: 'cubic-bezier(.5,0,.9,.6)',
        },
        last,
      ],
      { duration: SHOT_MS / 0.6, fill: 'forwards' },
    );
    path.current?.animate([{ opacity: 1 }, { opacity: 0 }], {
      duration: 300,
      delay: 300,
      fill: 'forwards',
    });
  }, [flight]);
  const bend = (BALL.x + end.x) / 2;
  return (
    <g className="in-the-air">
      <path
        ref={path}
        d={`M${BALL.x} 486Q${bend} 330 ${end.x} ${end.y + 20}`}
        stroke="var(--net)"
        strokeWidth="6"
        strokeDasharray=".1 17"
      />
      <circle ref={ball} r={BALL_RADIUS} fill="var(--red)" opacity="0" />
    </g>
  );
}

type SceneProps = {
  label: string;
  scanning: boolean;
  flight: Flight | null;
  covered: boolean;
  /** Gets the x at which a flick or drag aims; null without a game. */
  onShoot: ((x: number) => void) | null;
};

/** Backboard, painted square, rim, net, lane and ball (LOOK-90). */
export function Scene({ label, scanning, flight, covered, onShoot }: SceneProps) {
  const [drag, setDrag] = useState<{ from: DOMPoint; to: DOMPoint } | null>(null);
  const pointOf = (event: PointerEvent<SVGSVGElement>) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(
      event.currentTarget.getScreenCTM()?.inverse(),
    );
  const made = flight !== null && flight.outcome !== 'miss';
  const ball = drag
    ? { x: BALL.x + drag.to.x - drag.from.x, y: BALL.y + Math.min(40, drag.to.y - drag.from.y) }
    : BALL;
  return (
    <svg
      className={`scene ${onShoot ? 'scene--play' : ''}`}
      viewBox="150 14 480 600"
      preserveAspectRatio="xMidYMid meet"
      role="img"
      aria-label={label}
      aria-hidden={covered}
      onPointerDown={(event) => {
        if (!onShoot) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const from = pointOf(event);
        setDrag({ from, to: from });
      }}
      onPointerMove={(event) => {
        if (drag) setDrag({ ...drag, to: pointOf(event) });
      }}
      onPointerUp={(event) => {
        if (!drag) return;
        setDrag(null);
        const x = aimOf(drag.from, pointOf(event));
        if (x !== null) onShoot?.(x);
      }}
      onPointerCancel={() => setDrag(null)}
    >
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        <path d="M262 404 60 860H720L518 404Z" fill="var(--surface)" stroke="none" />
        <path
          d="M262 404 55 860M518 404 725 860M347 404 300 860M433 404 480 860"
          stroke="var(--line)"
          strokeWidth="4"
        />
        <path d="M262 404H518" stroke="var(--net)" strokeWidth="5" />
        <path d="M262 404H-900M518 404H1680" stroke="var(--line)" strokeWidth="4" />
        <rect
          x="180"
          y="34"
          width="420"
          height="256"
          rx="30"
          fill="#fff"
          stroke="var(--navy)"
          strokeWidth="16"
        />
        <rect
          x="318"
          y="132"
          width="144"
          height="110"
          rx="8"
          stroke="var(--navy)"
          strokeWidth="13"
        />
        {scanning && (
          <path
            d="M350 178v-22h22M408 156h22v22M430 198v22h-22M372 220h-22v-22"
            stroke="var(--red)"
            strokeWidth="8"
          />
        )}
        {flight && <BallInTheAir key={flight.id} flight={flight} />}
        <g
          key={made ? flight.id : 'still'}
          className={made ? 'made' : undefined}
          transform="translate(279 262) scale(1.5)"
        >
          <path className="rim__net" d={NET} stroke="var(--net)" strokeWidth="2.6" />
          <path d="M52 0h44v10a3 3 0 0 1-3 3H55a3 3 0 0 1-3-3Z" fill="var(--navy)" />
          <rect x="12" y="13" width="124" height="11" rx="5.5" fill="var(--red)" />
        </g>
        <ellipse cx={BALL.x} cy="598" rx="46" ry="7" fill="var(--ink)" fillOpacity=".1" />
        <circle cx={ball.x} cy={ball.y} r={BALL_RADIUS} fill="var(--red)" />
      </g>
    </svg>
  );
}
