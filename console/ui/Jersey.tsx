import type { CSSProperties } from 'react';

const BODY =
  'M60 10 82 6C85 27 115 27 118 6L140 10C140 42 150 66 178 77C175 92 174 108 174 126V208C174 212 171 214 167 214H33C29 214 26 212 26 208V126C26 108 25 92 22 77C50 66 60 42 60 10Z';
/** Jerseys brighter than this, of 255, have a dark number. */
const BRIGHT = 150;

function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    Number.parseInt(colour.slice(at, at + 2), 16),
  );
  return 0.299 * red + 0.587 * green + 0.114 * blue;
}

/** A jersey `size` px wide, hidden from screen readers. */
export function Jersey({
  colour,
  number,
  size = 28,
}: {
  colour: string;
  number: string;
  size?: 28 | 36 | 72;
}) {
  const style = { '--jersey-body': colour } as CSSProperties;
  return (
    <svg className={`jersey j${size}`} viewBox="0 0 200 220" aria-hidden="true" style={style}>
      <path className="jersey__body" d={BODY} />
      <path className="jersey__edge" d={BODY} strokeWidth="6" />
      <text
        x="100"
        y="172"
        textAnchor="middle"
        fontFamily="var(--font-display)"
        fontWeight="850"
        fontSize="100"
        fill={brightness(colour) > BRIGHT ? '#0B1226' : '#FFFFFF'}
      >
        {number}
      </text>
    </svg>
  );
}
