import { correction, generate, mode } from 'lean-qr';

/** The white margin that scanners need, in modules (PROD-32). */
export const MARGIN = 4;

const LEVELS = { medium: correction.M, quartile: correction.Q, high: correction.H };

/**
 * The QR code of an ASCII text with its margin: its width in modules, and an SVG path that draws
 * each run of dark modules in a row as one rectangle.
 */
export function drawQr(text: string, ecc: keyof typeof LEVELS): { modules: number; path: string } {
  let path = '';
  // The mode for ASCII writes no mark of a character set, which a scanner may pass on to the machine.
  const code = generate(mode.ascii(text), { minCorrectionLevel: LEVELS[ecc] });
  const modules = code.size + 2 * MARGIN;
  for (let y = 0; y < modules; y += 1)
    for (let x = 0; x < modules; x += 1) {
      const from = x;
      while (code.get(x - MARGIN, y - MARGIN)) x += 1;
      if (x > from) path += `M${from} ${y}H${x}v1H${from}z`;
    }
  return { modules, path };
}
