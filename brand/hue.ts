import { channels, toHex } from './jersey-colour.ts';

/** Hue 0–359, saturation and lightness 0–100, to `#RRGGBB`. */
export function hslToHex(hue: number, saturation: number, lightness: number): string {
  const light = lightness / 100;
  const swing = (saturation / 100) * Math.min(light, 1 - light);
  const channel = (offset: number) => {
    const sector = (offset + hue / 30) % 12;
    return 255 * (light - swing * Math.max(-1, Math.min(sector - 3, 9 - sector, 1)));
  };
  return toHex([channel(0), channel(8), channel(4)]);
}

/** The hue, 0 to 359; 0 for a grey. */
export function hueOf(hex: string): number {
  const [red, green, blue] = channels(hex);
  const top = Math.max(red, green, blue);
  const spread = top - Math.min(red, green, blue);
  if (spread === 0) return 0;
  let sector: number;
  if (top === red) sector = (green - blue) / spread;
  else if (top === green) sector = 2 + (blue - red) / spread;
  else sector = 4 + (red - green) / spread;
  return (Math.round(sector * 60) + 360) % 360;
}
