import { useId, useMemo } from 'react';
import { drawQr, MARGIN } from '#brand/qr.ts';

/** A poster's mark: the square with the ball, around the QR code of `url`. */
export function PosterSquare({ url }: { url: string }) {
  const mask = useId();
  const { modules, path } = useMemo(() => drawQr(url, 'quartile'), [url]);
  const size = modules - 2 * MARGIN;
  return (
    <div className="a4__sq">
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <mask id={mask}>
          <rect width="64" height="64" fill="#fff" />
          <circle cx="61" cy="61" r="9" />
        </mask>
        <rect
          x="2"
          y="2"
          width="60"
          height="60"
          rx="9"
          fill="none"
          stroke="#12285C"
          strokeWidth="4"
          mask={`url(#${mask})`}
        />
        <circle cx="61" cy="61" r="6.4" fill="#C9143A" />
      </svg>
      <div className="a4__qr">
        <svg
          viewBox={`${MARGIN} ${MARGIN} ${size} ${size}`}
          role="img"
          aria-label={`QR code of ${url}`}
        >
          <path d={path} fill="currentColor" shapeRendering="crispEdges" />
        </svg>
      </div>
    </div>
  );
}
