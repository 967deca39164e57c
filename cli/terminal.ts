import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';

/** The command was refused or failed; the message says what to do. Exit code 1. */
export class Failure extends Error {
  /** What `--json` tells beyond the message. */
  readonly details: Record<string, unknown>;
  constructor(message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.details = details;
  }
}

/**
 * Control characters, escape sequences, invisible and direction-changing letters, line separators:
 * what could move the cursor, hide text or forge a line when a name holds it.
 */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;

/** Text from elsewhere, made harmless for a terminal: one line, everything that acts is spelled out. */
export function inert(text: string): string {
  return text.replace(ACTIVE, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`);
}

/** JSON that is also harmless when it is shown: JSON itself leaves DEL, C1 and bidi letters as they are. */
function inertJson(value: unknown): string {
  const spelled = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, 2).replace(ACTIVE, (found) =>
    found === '\n' ? found : found.split('').map(spelled).join(''),
  );
}

/** Prints a command's answer: the whole of it with `--json`, else the text made of it. */
export function answer<T>(json: boolean, value: T, text: (value: T) => string): void {
  process.stdout.write(`${json ? inertJson(value) : text(value)}\n`);
}

/** Prints what went wrong to stderr, as JSON when the command was asked for JSON. */
export function complain(json: boolean, error: Failure): void {
  const text = json
    ? inertJson({ error: error.message, ...error.details })
    : error.message.split('\n').map(inert).join('\n');
  process.stderr.write(`${text}\n`);
}

/**
 * Rows under headings in aligned columns, numbers to the right; cells are made inert. Without rows
 * it is `empty`.
 */
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

/** Bold on a terminal that shows it, plain text elsewhere (NO_COLOR is respected). */
export function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}

/** An instant in the operator's own time zone, to the minute. */
export function localTime(iso: string): string {
  return new Date(iso).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}

/** `1 game`, `2 games`. */
export function count(many: number, one: string): string {
  return `${many.toLocaleString('en')} ${one}${many === 1 ? '' : 's'}`;
}

/**
 * Whether `confirm` can be answered: asked first where much work comes before the question.
 * @throws Failure without a terminal, unless `yes`.
 */
export function mayAsk(yes: boolean, question: string): void {
  if (!yes && (!process.stdin.isTTY || !process.stderr.isTTY))
    throw new Failure(`${question} Nobody can be asked here: add --yes to go on.`);
}

/**
 * Asks before something is destroyed. `yes` goes on without asking; without a terminal nobody can
 * answer, so the command is refused (contract 5).
 * @throws Failure when the answer is not yes, or nobody can be asked.
 */
export async function confirm(yes: boolean, question: string): Promise<void> {
  mayAsk(yes, question);
  if (yes) return;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  const typed = await Promise.race([terminal.question(`${inert(question)} [y/N] `), ended]);
  terminal.close();
  if (!/^y(es)?$/i.test(typed.trim())) throw new Failure('Nothing was changed.');
}

/** Nothing is shown of work that ends sooner. */
const SHOW_AFTER_MS = 1_000;
/** A log is not flooded: where no line can be rewritten, one line in this time. */
const LINE_EVERY_MS = 5_000;
const BAR_WIDTH = 30;

/**
 * Shows how far long work is, on stderr: a bar that redraws itself on a terminal, a line now and
 * then elsewhere, nothing when `quiet`. Call `end` when the work is over, whatever came of it.
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
