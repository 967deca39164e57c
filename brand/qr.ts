import encodeQr from 'qr';

/** The white margin that scanners need, in modules (PROD-32). */
export const MARGIN = 4;

/**
 * A QR code with its margin: its width in modules, and an SVG path that draws each run of dark
 * modules in a row as one rectangle.
 */
export function drawQr(
  text: string,
  ecc: 'medium' | 'quartile' | 'high',
): { modules: number; path: string } {
  let path = '';
  const rows = encodeQr(text, 'raw', { ecc, border: MARGIN });
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; x += 1) {
      const from = x;
      while (row[x]) x += 1;
      if (x > from) path += `M${from} ${y}H${x}v1H${from}z`;
    }
  return { modules: rows.length, path };
}
