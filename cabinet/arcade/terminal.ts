import { styleText } from 'node:util';
import type { Hall, Station } from './hall.ts';
import { GAME_S } from './people.ts';

const FRAME_MS = 100;
const LINE_EVERY_MS = 5_000;
const BAR = 10;
const PROGRESS_BAR = 40;
const NEWS_LINES = 4;

const whole = (value: number) => value.toLocaleString('en');
/** A name must not control the terminal. */
const inert = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '·');
const column = (text: string, width: number) => inert(text).slice(0, width).padEnd(width);
const bar = (share: number, width: number) => {
  const full = Math.round(Math.min(1, Math.max(0, share)) * width);
  return '█'.repeat(full) + '░'.repeat(width - full);
};
const clock = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

export function tallyLine({ tally, stations }: Hall): string {
  const waiting = stations.reduce((sum, { cabinet }) => sum + cabinet.waiting, 0);
  const there = tally.recorded + tally.duplicate;
  const parts = [
    `played ${whole(tally.games)}`,
    `on the server ${whole(there)}`,
    `waiting on disk ${whole(waiting)}`,
  ];
  if (tally.held > 0) parts.push(`held ${whole(tally.held)}`);
  if (tally.rejected > 0) parts.push(`rejected ${whole(tally.rejected)}`);
  return parts.join(' · ');
}

function stationLine({ name, player, game, cabinet, trouble }: Station): string {
  const playing =
    game === null
      ? ' '.repeat(7 + BAR + 6)
      : `${String(game.score).padStart(5)}  ${bar(game.done, BAR)} ${clock(game.done * GAME_S)} `;
  const waiting = cabinet.waiting === 0 ? '' : `${whole(cabinet.waiting)} on disk`;
  const line = `${column(name, 12)} ${column(player ?? '–', 14)} ${playing} ${waiting.padEnd(12)}`;
  return trouble === null ? line : `${line} ${styleText('yellow', inert(trouble))}`;
}

/**
 * Shows a run on stderr until `end` is called: in place on a terminal, otherwise a line every few
 * seconds. `goal` is the progress from 0 to 1, or null for an endless run.
 */
export function showHall(hall: Hall, title: string, goal: () => number | null) {
  const stream = process.stderr;
  const begun = performance.now();
  const news: string[] = [];
  let drawn = 0;

  const frame = (): string[] => {
    const share = goal();
    const seconds = clock((performance.now() - begun) / 1000);
    return [
      `${styleText('bold', title)}  ${seconds}`,
      ...(share === null ? [] : [`${bar(share, PROGRESS_BAR)} ${Math.floor(share * 100)} %`]),
      '',
      ...hall.stations.map(stationLine),
      '',
      tallyLine(hall),
      ...news.map((line) => styleText('dim', line)),
    ];
  };
  const draw = () => {
    const width = stream.columns || 80;
    const lines = frame().map((line) => cut(line, width));
    const up = drawn === 0 ? '' : `\u001b[${drawn}A`;
    stream.write(`${up}${lines.map((line) => `\u001b[2K${line}\n`).join('')}\u001b[J`);
    drawn = lines.length;
  };

  const live = stream.isTTY === true;
  if (live) stream.write('\u001b[?25l');
  else stream.write(`${title}\n`);
  const timer = setInterval(
    live ? draw : () => stream.write(`${tallyLine(hall)}\n`),
    live ? FRAME_MS : LINE_EVERY_MS,
  );
  return {
    news(line: string, kind: 'joy' | 'trouble'): void {
      if (live) news.splice(0, Math.max(0, news.length - NEWS_LINES + 1));
      if (live) news.push(inert(line));
      else if (kind === 'trouble') stream.write(`${inert(line)}\n`);
    },
    end(): void {
      clearInterval(timer);
      if (!live) return;
      draw();
      stream.write('\u001b[?25h');
    },
  };
}

function cut(line: string, width: number): string {
  let room = width - 1;
  return line.replace(/(\p{Cc}\[[0-9;]*m)|\P{Cc}/gu, (found, style) => {
    if (style !== undefined) return found;
    room -= 1;
    return room < 0 ? '' : found;
  });
}
