import { drawQr } from '#brand/qr.ts';
import { s } from './dom.ts';

/**
 * A QR code in the text colour, with error correction Q. `text` is an address, and never a score
 * (PROD-110). `name` is for screen readers.
 */
export function codeOf(text: string, name: string): SVGElement {
  const { modules, path } = drawQr(text, 'quartile');
  return s(
    'svg',
    {
      class: 'code-svg',
      viewBox: `0 0 ${modules} ${modules}`,
      role: 'img',
      'aria-label': name,
      'shape-rendering': 'crispEdges',
    },
    s('path', { fill: 'currentColor', d: path }),
  );
}
