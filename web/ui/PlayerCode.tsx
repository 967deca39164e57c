import encodeQr from 'qr';
import { useMemo } from 'react';

/** The width of the white margin in modules. Scanners need this much (PROD-32). */
const MARGIN = 4;
/** The width of a code with its margin, in modules. A uuid at level H takes 37 modules. */
export const CODE_MODULES = 37 + 2 * MARGIN;

/** The dark modules as one path: a rectangle for each run of dark modules in a row. */
function pathOf(uuid: string): string {
  let path = '';
  for (const [y, row] of encodeQr(uuid, 'raw', { ecc: 'high', border: MARGIN }).entries())
    for (let x = 0; x < row.length; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) path += `M${from} ${y}H${x}v1H${from}z`;
    }
  return path;
}

/** The code with its margin, in the current text colour. */
export function PlayerCode({ uuid }: { uuid: string }) {
  const path = useMemo(() => pathOf(uuid), [uuid]);
  return (
    <svg viewBox={`0 0 ${CODE_MODULES} ${CODE_MODULES}`} role="img" aria-label="Player QR code">
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  );
}
