import encodeQr from 'qr';
import { s } from './dom.ts';

/** The white margin that scanners need, in modules. */
const MARGIN = 4;

/** A rectangle for each run of dark modules. */
function pathOf(modules: boolean[][]): string {
  let path = '';
  modules.forEach((row, y) => {
    for (let x = 0; x < row.length; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) path += `M${from} ${y}H${x}v1H${from}z`;
    }
  });
  return path;
}

/**
 * A QR code in the text colour, with error correction Q. `text` is an address, and never a score
 * (PROD-110). `name` is for screen readers.
 */
export function codeOf(text: string, name: string): SVGElement {
  const modules = encodeQr(text, 'raw', { ecc: 'quartile', border: MARGIN });
  return s(
    'svg',
    {
      class: 'code-svg',
      viewBox: `0 0 ${modules.length} ${modules.length}`,
      role: 'img',
      'aria-label': name,
      'shape-rendering': 'crispEdges',
    },
    s('path', { fill: 'currentColor', d: pathOf(modules) }),
  );
}
