import wordmark from '#brand/wordmark.svg?raw';
import { A_PLAYER } from '#contract/rules/visibility.ts';
import type { ClosedWeek } from '#contract/wire/leagues.ts';
import { drawJersey } from '../avatar/jersey-canvas.ts';
import { dayRange } from '../ui/dates.ts';
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

/** An empty card with the logo. `set` adds words, then `finish` makes the PNG. */
async function openCard(): Promise<{
  canvas: CanvasRenderingContext2D;
  finish: () => Promise<Blob>;
}> {
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
  await drawWordmark(canvas);
  const finish = () =>
    new Promise<Blob>((done, fail) =>
      element.toBlob(
        (blob) => (blob ? done(blob) : fail(new Error('This browser cannot make a PNG.'))),
        'image/png',
      ),
    );
  return { canvas, finish };
}

/** The subject of the card, its days, and the result. */
function drawHead(
  canvas: CanvasRenderingContext2D,
  { of, from, to, result }: { of: string; from: string; to: string; result: string },
): void {
  const line = { top: 158, size: 52, color: NAVY };
  const days = dayRange(from, to);
  const words = set(canvas, of, { ...line, x: LEFT, most: WIDTH / 2 });
  disc(canvas, LEFT + words + 35, 186, 10, RED);
  set(canvas, days, { ...line, x: LEFT + words + 70, most: WIDTH - words - 70 });
  set(canvas, result, { x: LEFT - 4, top: 220, size: 174, color: INK, most: WIDTH });
}

/** The figure in the ball, and beside it the player or team that it belongs to. */
function drawBall(
  canvas: CanvasRenderingContext2D,
  { label, name, figure }: { label: string; name: string; figure: string },
): void {
  const beside = { x: LEFT, most: BESIDE_THE_BALL };
  set(canvas, label, { ...beside, top: 926, size: 42, color: INK_2 });
  set(canvas, name, { ...beside, top: 978, size: 92, color: INK });
  set(canvas, figure, {
    x: BALL.x,
    top: BALL.y - 76,
    size: 150,
    color: WHITE,
    most: 2 * BALL.radius - 60,
    align: 'center',
  });
}

/** A closed week as a PNG. */
export async function drawCard(week: ClosedWeek): Promise<Blob> {
  const { canvas, finish } = await openCard();
  const { from, to } = week;
  drawHead(canvas, { of: `Week ${week.week}`, from, to, result: headline(week) });
  drawJerseys(canvas, week.players);
  drawRow(canvas, { top: 664, color: NAVY, team: week.team, total: week.team_total_score });
  drawRow(canvas, {
    top: 776,
    color: RED,
    team: week.opponent,
    total: week.opponent_total_score,
  });
  if (week.best) {
    const { username, score } = week.best;
    drawBall(canvas, {
      ...{ label: 'Best game', name: username ?? A_PLAYER, figure: String(score) },
    });
  }
  return finish();
}

/** The final season of the player's team. It names no other team (AWARD-09). */
export type SeasonCard = {
  league: string;
  name: string;
  starts_on: string;
  ends_on: string;
  team: string;
  place: number;
  result: string;
  record: string;
  total: number;
};

/** A team's final season as a PNG. */
export async function drawSeasonCard(season: SeasonCard): Promise<Blob> {
  const { canvas, finish } = await openCard();
  const { league, name, starts_on, ends_on, team, place, result, record, total } = season;
  drawHead(canvas, { of: name, from: starts_on, to: ends_on, result });
  set(canvas, team, { x: LEFT - 2, top: 452, size: 130, color: INK, most: WIDTH });
  drawRow(canvas, { top: 664, color: NAVY, team: 'Points', total });
  set(canvas, record, { x: LEFT, top: 796, size: 62, color: NAVY, most: WIDTH });
  drawBall(canvas, { label: 'League', name: league, figure: String(place) });
  return finish();
}
