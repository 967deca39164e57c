import type { CSSProperties } from 'react';
import { jerseyColours } from '#brand/jersey-colour.ts';
import { BODY } from '#brand/jersey-shape.ts';

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
        fill={jerseyColours(colour).ink}
      >
        {number}
      </text>
    </svg>
  );
}
