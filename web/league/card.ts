import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { ClosedWeek } from '#contract/wire/leagues.ts';
import { drawJersey } from '../avatar/jersey-canvas.ts';
import { dayRange } from '../ui/dates.ts';
import wordmark from '../ui/wordmark.svg?raw';
import { headline } from './result.ts';

/** The picture's size in pixels (LOOK-61). */
export const CARD = { width: 1080, height: 1350 };

/** The light theme's colours, used in every theme (LOOK-61). */
const PAGE = '#ECEFF4';
const WHITE = '#FFFFFF';
const NAVY = '#12285C';
const RED = '#C9143A';
const INK = '#101B36';
const INK_2 = '#535E78';
const FONT = '"Backboard Display", "Arial Narrow", "Roboto Condensed", Impact, sans-serif';

const LEFT = 146;
const WIDTH = 788;
const GLASS = 'M996 1110V140a48 48 0 0 0-48-48H132a48 48 0 0 0-48 48v922a48 48 0 0 0 48 48Z';
/** The navy frame of the card, with a gap for the ball. */
const FRAME = 'M996 980V140a48 48 0 0 0-48-48H132a48 48 0 0 0-48 48v922a48 48 0 0 0 48 48H676';
const BALL = { x: 874, y: 1098, radius: 176, gap: 207 };
const BESIDE_THE_BALL = 500;

const JERSEYS_TOP = 414;
const ONE_ROW = { most: 4, width: 207 };
/** Five to eight jerseys stand in two rows: every second jersey is lower. */
const TWO_ROWS = { most: 8, width: 122, drop: 94 };
/** The margin on each side of a jersey, as a share of its width. */
const JERSEY_MARGIN = 0.1;

type Setting = {
  x: number;
  /** The line's top; its height is `size`. */
  top: number;
  size: number;
  color: string;
  /** The largest width. Wider text gets a smaller font. */
  most: number;
  align?: 'left' | 'right' | 'center';
  tracking?: number;
};

function set(canvas: CanvasRenderingContext2D, words: string, setting: Setting): number {
  const { x, top, size, color, most, align = 'left', tracking = 0 } = setting;
  const text = words.toUpperCase();
  canvas.font = `850 ${size}px ${FONT}`;
  canvas.letterSpacing = `${tracking * size}px`;
  canvas.textAlign = align;
  canvas.fillStyle = color;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = canvas.measureText(text);
  const baseline = top + (size + up - down) / 2;
  const { width } = canvas.measureText(text);
  if (width > most) {
    const fitting = (size * most) / width;
    canvas.font = `850 ${fitting}px ${FONT}`;
    canvas.letterSpacing = `${tracking * fitting}px`;
  }
  canvas.fillText(text, x, baseline);
  return Math.min(width, most);
}

function disc(
  canvas: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  color: string,
) {
  canvas.beginPath();
  canvas.arc(x, y, radius, 0, 2 * Math.PI);
  canvas.fillStyle = color;
  canvas.fill();
}

/** Draws the first eight jerseys; there is no room for more. */
function drawJerseys(canvas: CanvasRenderingContext2D, players: ClosedWeek['players']): void {
  const shown = players.slice(0, TWO_ROWS.most);
  const rows = shown.length > ONE_ROW.most ? TWO_ROWS : { ...ONE_ROW, drop: 0 };
  const margin = rows.width * JERSEY_MARGIN;
  const last = LEFT + WIDTH - rows.width + margin;
  const step = (last - (LEFT - margin)) / (Math.max(shown.length, ONE_ROW.most) - 1);
  for (const [at, { username, avatar_color: color, jersey_number: number }] of shown.entries())
    drawJersey(canvas, username && color && number ? { username, color, number } : null, {
      x: LEFT - margin + at * step,
      y: JERSEYS_TOP + (at % 2) * rows.drop,
      width: rows.width,
      font: FONT,
    });
}

function drawRow(
  canvas: CanvasRenderingContext2D,
  { top, color, team, total }: { top: number; color: string; team: string; total: number },
): void {
  const height = 100;
  const padding = 34;
  canvas.beginPath();
  canvas.roundRect(LEFT, top, WIDTH, height, 24);
  canvas.fillStyle = color;
  canvas.fill();
  const figure = set(canvas, String(total), {
    x: LEFT + WIDTH - padding,
    top: top + (height - 78) / 2,
    size: 78,
    color: WHITE,
    most: WIDTH / 2,
    align: 'right',
    tracking: 0.01,
  });
  set(canvas, team, {
    x: LEFT + padding,
    top: top + (height - 50) / 2,
    size: 50,
    color: WHITE,
    most: WIDTH - 3 * padding - figure,
    tracking: 0.01,
  });
}

async function drawWordmark(canvas: CanvasRenderingContext2D): Promise<void> {
  // Some browsers do not draw an SVG without a size.
  const image = new Image();
  const sized = wordmark.replace('<svg ', '<svg width="594" height="122" ');
  image.src = `data:image/svg+xml,${encodeURIComponent(sized)}`;
  await image.decode();
  canvas.drawImage(image, 70, 1212, (82 * 297) / 61, 82);
}

/** A closed week as a PNG. */
export async function drawCard(week: ClosedWeek): Promise<Blob> {
  await document.fonts.load(`850 174px ${FONT}`);
  const element = document.createElement('canvas');
  element.width = CARD.width;
  element.height = CARD.height;
  const canvas = element.getContext('2d');
  if (canvas === null) throw new Error('This browser cannot draw.');

  canvas.fillStyle = PAGE;
  canvas.fillRect(0, 0, CARD.width, CARD.height);
  canvas.fillStyle = WHITE;
  canvas.fill(new Path2D(GLASS));
  canvas.strokeStyle = NAVY;
  canvas.lineWidth = 56;
  canvas.stroke(new Path2D(FRAME));
  disc(canvas, BALL.x, BALL.y, BALL.gap, PAGE);
  disc(canvas, BALL.x, BALL.y, BALL.radius, RED);

  const line = { top: 158, size: 52, color: NAVY, most: WIDTH };
  const number = set(canvas, `Week ${week.week}`, { ...line, x: LEFT });
  disc(canvas, LEFT + number + 35, 186, 10, RED);
  set(canvas, dayRange(week.from, week.to), { ...line, x: LEFT + number + 70 });
  set(canvas, headline(week), { x: LEFT - 4, top: 220, size: 174, color: INK, most: WIDTH });
  drawJerseys(canvas, week.players);
  drawRow(canvas, { top: 664, color: NAVY, team: week.team, total: week.team_total_score });
  drawRow(canvas, {
    top: 776,
    color: RED,
    team: week.opponent,
    total: week.opponent_total_score,
  });
  if (week.best) {
    const beside = { x: LEFT, most: BESIDE_THE_BALL };
    set(canvas, 'Best game', { ...beside, top: 926, size: 42, color: INK_2 });
    set(canvas, week.best.username ?? A_PLAYER, { ...beside, top: 978, size: 92, color: INK });
    set(canvas, String(week.best.score), {
      x: BALL.x,
      top: BALL.y - 76,
      size: 150,
      color: WHITE,
      most: 2 * BALL.radius - 60,
      align: 'center',
    });
  }
  await drawWordmark(canvas);
  return new Promise((done, fail) =>
    element.toBlob(
      (blob) => (blob ? done(blob) : fail(new Error('This browser cannot make a PNG.'))),
      'image/png',
    ),
  );
}
