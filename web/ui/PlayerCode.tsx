import { useMemo } from 'react';
import { drawQr, MARGIN } from '#brand/qr.ts';

/** A code's width with its margin, in modules. A uuid at level H takes 37. */
export const CODE_MODULES = 37 + 2 * MARGIN;

/** The code with its margin, in the text's colour. */
export function PlayerCode({ uuid }: { uuid: string }) {
  const path = useMemo(() => drawQr(uuid, 'high').path, [uuid]);
  return (
    <svg viewBox={`0 0 ${CODE_MODULES} ${CODE_MODULES}`} role="img" aria-label="Player QR code">
      <path d={path} fill="currentColor" shapeRendering="crispEdges" />
    </svg>
  );
}
