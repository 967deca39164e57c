import { useMemo } from 'react';
import { drawQr } from '#brand/qr.ts';

/** A QR code on white, in both themes. Screen readers hear `label`. */
export function Qr({ text, label, size }: { text: string; label: string; size?: string }) {
  const { modules, path } = useMemo(() => drawQr(text, 'quartile'), [text]);
  return (
    <span className="qr" style={size === undefined ? undefined : { width: size }}>
      <svg viewBox={`0 0 ${modules} ${modules}`} role="img" aria-label={label}>
        <path d={path} fill="currentColor" shapeRendering="crispEdges" />
      </svg>
    </span>
  );
}
