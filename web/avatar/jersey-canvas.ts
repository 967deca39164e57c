import { GREY_JERSEY, jerseyColours } from '#brand/jersey-colour.ts';
import {
  BODY,
  DIGITS,
  FOLD,
  LETTER_SPACING,
  nameSize,
  SECOND_DIGIT,
  SIDES,
  TRIM,
  UNDER_THE_NAME,
} from '#brand/jersey-shape.ts';

const GRID = { width: 200, height: 220 };
const EDGE = 'rgb(11 18 38 / 16%)';
const FOLD_SHADE = 'rgb(5 11 28 / 7%)';
/** Matches the token `--shadow-jersey`. A canvas needs twice the blur of CSS. */
const SHADOW = { color: 'rgb(16 27 54 / 18%)', down: 14, blur: 28 };

/** `color` is `#RRGGBB`, `number` has two digits. null draws the grey jersey (LOOK-70). */
export type DrawnJersey = { username: string; color: string; number: string } | null;

/**
 * Draws a jersey `width` pixels wide with its shadow; x, y is its upper left corner. `font` is the
 * family of the name, which the caller has loaded.
 */
export function drawJersey(
  onto: CanvasRenderingContext2D,
  jersey: DrawnJersey,
  { x, y, width, font }: { x: number; y: number; width: number; font: string },
): void {
  // Draw on a separate canvas, so that the whole jersey casts one shadow.
  const apart = document.createElement('canvas');
  apart.width = Math.ceil(width);
  apart.height = Math.ceil((width * GRID.height) / GRID.width);
  const canvas = apart.getContext('2d');
  if (canvas === null) return;
  canvas.scale(width / GRID.width, width / GRID.width);
  drawFlat(canvas, jersey, font);
  onto.save();
  onto.shadowColor = SHADOW.color;
  onto.shadowOffsetY = SHADOW.down;
  onto.shadowBlur = SHADOW.blur;
  onto.drawImage(apart, x, y);
  onto.restore();
}

function drawFlat(canvas: CanvasRenderingContext2D, jersey: DrawnJersey, font: string): void {
  const color = jersey?.color ?? GREY_JERSEY.body;
  const { ink, trim } = jersey ? jerseyColours(color) : { ink: color, trim: GREY_JERSEY.trim };
  const body = new Path2D(BODY);
  canvas.save();
  canvas.clip(body);
  canvas.fillStyle = color;
  canvas.fill(body);
  if (jersey) {
    canvas.globalAlpha = 0.55;
    canvas.fillStyle = trim;
    canvas.fill(new Path2D(SIDES));
    canvas.globalAlpha = 1;
    canvas.fillStyle = FOLD_SHADE;
    canvas.fill(new Path2D(FOLD));
  }
  canvas.strokeStyle = trim;
  canvas.lineWidth = 15;
  canvas.stroke(new Path2D(TRIM));
  canvas.restore();
  canvas.strokeStyle = EDGE;
  canvas.stroke(body);
  if (!jersey) return;

  const name = jersey.username.toUpperCase();
  const size = nameSize(name);
  canvas.font = `850 ${size}px ${font}`;
  canvas.letterSpacing = `${LETTER_SPACING * size}px`;
  canvas.textAlign = 'center';
  canvas.lineJoin = 'round';
  canvas.strokeStyle = trim;
  canvas.lineWidth = 2.4;
  canvas.strokeText(name, GRID.width / 2, 84);
  canvas.fillStyle = ink;
  canvas.fillText(name, GRID.width / 2, 84);

  canvas.translate(UNDER_THE_NAME.x, UNDER_THE_NAME.y);
  canvas.scale(UNDER_THE_NAME.scale, UNDER_THE_NAME.scale);
  canvas.lineCap = 'square';
  canvas.lineJoin = 'miter';
  canvas.miterLimit = 2.2;
  for (const digit of jersey.number) {
    const shape = new Path2D(DIGITS[Number(digit)]);
    canvas.strokeStyle = trim;
    canvas.lineWidth = 18;
    canvas.stroke(shape);
    canvas.strokeStyle = ink;
    canvas.lineWidth = 11;
    canvas.stroke(shape);
    canvas.translate(SECOND_DIGIT, 0);
  }
}
