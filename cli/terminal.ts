import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

/** A refused or failed command (exit code 1). The message says what to do next. */
export class Failure extends Error {
  /** What `--json` prints beside the message. */
  readonly details: Record<string, unknown>;
  constructor(message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.details = details;
  }
}

/** These characters could move the cursor, hide text or forge a line. */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Escapes text for the terminal: one line, control and invisible characters spelled out. */
export function inert(text: string): string {
  return text.replace(ACTIVE, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

/** JSON with DEL, C1 and bidi characters escaped too. */
function inertJson(value: unknown): string {
  const spelled = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(ACTIVE, (found) =>
    found === '\n' ? found : found.split('').map(spelled).join(''),
  );
}

/** Prints a command's result, as JSON or as `text`. */
export function answer<T>(json: boolean, value: T, text: (value: T) => string): void {
  process.stdout.write(`${json ? inertJson(value) : text(value)}\n`);
}

/** Prints a failure to stderr, as JSON or plain lines. */
export function printFailure(json: boolean, error: Failure): void {
  const text = json
    ? inertJson({ error: error.message, ...error.details })
    : error.message.split('\n').map(inert).join('\n');
  process.stderr.write(`${text}\n`);
}

export function table(
  headings: string[],
  rows: (string | number | null)[][],
  empty: string,
): string {
  if (rows.length === 0) return empty;
  const cells = rows.map((row) => row.map((cell) => (cell === null ? '–' : inert(String(cell)))));
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...cells.map((row) => [...(row[at] ?? '')].length)),
  );
  const numeric = headings.map((_, at) => rows.every((row) => typeof row[at] === 'number'));
  const line = (texts: string[]) =>
    texts
      .map((text, at) => {
        const gap = ' '.repeat((widths[at] ?? 0) - [...text].length);
        return numeric[at] ? gap + text : text + gap;
      })
      .join('  ')
      .trimEnd();
  return [bold(line(headings)), ...cells.map(line)].join('\n');
}

/** Bold on a terminal, unless NO_COLOR is set. */
export function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}

/** Formats a time on the clock of a venue, to the minute. */
export function timeAt(iso: string, timeZone: string): string {
  return new Date(iso).toLocaleString('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  });
}

/** Formats a time in the operator's time zone, to the minute. */
export function localTime(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}

/** `1 game`, `2 games`. */
export function count(many: number, one: string): string {
  return `${many.toLocaleString('en')} ${one}${many === 1 ? '' : 's'}`;
}

/** `812 kB`, `4.2 MB`, `18.0 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} kB`;
  if (bytes < 1_000_000_000) return `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/**
 * Checks that `confirm` can ask, before long work that ends with a question.
 * @throws Failure without a terminal, unless `yes`.
 */
export function requireTerminal(yes: boolean, question: string): void {
  if (!yes && (!process.stdin.isTTY || !process.stderr.isTTY))
    throw new Failure(`${question} Without a terminal, add --yes to confirm.`);
}

/**
 * Asks before data is destroyed (OPS-04), unless `yes`.
 * @throws Failure without a terminal or a yes.
 */
export async function confirm(yes: boolean, question: string): Promise<void> {
  requireTerminal(yes, question);
  if (yes) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const typed = await Promise.race([terminal.question(`${inert(question)} [y/N] `), ended]);
  terminal.close();
  if (!/^y(es)?$/i.test(typed.trim())) throw new Failure('Nothing was changed.');
}

/** Work shorter than this shows no progress. */
const SHOW_AFTER_MS = 1_000;
const LINE_EVERY_MS = 5_000;
const BAR_WIDTH = 30;

/**
 * Shows progress on stderr: a bar on a terminal, otherwise a line every few seconds; nothing if
 * `quiet`. Call `end` afterwards.
 */
export function progressBar(quiet: boolean) {
  const stream = process.stderr;
  const begun = performance.now();
  let shownAt = Number.NEGATIVE_INFINITY;
  let drawn = false;
  return {
    update({ step, done, total }: { step: string; done: number; total: number }): void {
      const now = performance.now();
      if (quiet || now - begun < SHOW_AFTER_MS) return;
      if (now - shownAt < (stream.isTTY ? 50 : LINE_EVERY_MS) && done < total) return;
      shownAt = now;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const figures = `${String(Math.floor(share * 100)).padStart(3)} %  ${inert(step)}`;
      if (!stream.isTTY) {
        stream.write(`${figures}\n`);
        return;
      }
      const full = Math.round(share * BAR_WIDTH);
      stream.write(`\r\u001b[K${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)} ${figures}`);
      drawn = true;
    },
    end(): void {
      if (drawn) stream.write('\r\u001b[K');
    },
  };
}
