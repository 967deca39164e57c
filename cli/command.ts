import { type Command, InvalidArgumentError } from 'commander';
import { findTarget, type OperatorApi, operatorApi } from './server.ts';

export type Options = { json?: true };
export type AskingOptions = Options & { yes?: true };

/** The operator's API of the server that the environment names. */
export const api = (): OperatorApi => operatorApi(findTarget(process.env));

/** Adds a group of commands. Without a command it shows its help. */
export function group(program: Command, name: string, about: string, examples: string): Command {
  return program.command(name).description(about).addHelpText('after', exampleText(examples));
}

/** Adds a command to a group. `usage`: name and arguments. */
export function leaf(parent: Command, usage: string, about: string, examples: string): Command {
  return parent
    .command(usage)
    .summary(about.split(/[.:](?: |$)/, 1)[0] ?? about)
    .description(about)
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', exampleText(examples));
}

export function askingLeaf(
  parent: Command,
  usage: string,
  about: string,
  examples: string,
): Command {
  return leaf(parent, usage, about, examples).option('-y, --yes', 'do not ask');
}

function exampleText(examples: string): string {
  const lines = examples.trim().split('\n');
  return `\nExamples:\n${lines.map((line) => `  ./backboard ${line.trim()}`).join('\n')}`;
}

/**
 * The only row with this name or id; undefined if there is none or more than one. Use it only to
 * ask for confirmation: the server decides what the name means.
 */
export function rowNamed<Row extends { id: string; name: string }>(
  rows: readonly Row[],
  nameOrId: string,
): Row | undefined {
  const known = rows.filter(
    ({ id, name }) =>
      [id, `id:${id}`].includes(nameOrId) || name.toLowerCase() === nameOrId.toLowerCase(),
  );
  return known.length === 1 ? known[0] : undefined;
}

export function whole(typed: string): number {
  if (!/^\d{1,9}$/.test(typed)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(typed);
}

/** Parses a game's number, with or without the console's `#` (GAME-01). */
export function gameNumber(typed: string): string {
  const number = /^#?(\d{1,15})$/.exec(typed)?.[1];
  if (number === undefined)
    throw new InvalidArgumentError(
      'A game is named by its number, such as 48213. Find it: ./backboard game list',
    );
  return number;
}

const SPANS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses a time, or a span before now (`3h`), to an ISO string. */
export function moment(typed: string): string {
  const [, many, unit] = /^(\d{1,4})([mhd])$/.exec(typed) ?? [];
  const at = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?)?$/.test(typed)
    ? // The day begins at midnight on the operator's computer.
      new Date(typed.includes('T') ? typed : `${typed}T00:00`)
    : new Date(Date.now() - Number(many) * SPANS_MS[unit as keyof typeof SPANS_MS]);
  if (Number.isNaN(at.getTime()))
    throw new InvalidArgumentError('Write it as 2027-01-04, 2027-01-04T18:00, 90m, 3h or 2d.');
  return at.toISOString();
}

export function day(typed: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed)) throw new InvalidArgumentError('Write it as YYYY-MM-DD.');
  return typed;
}

/** Parses a day, for an option that may be repeated. */
export const days = (typed: string, former: string[] = []) => [...former, day(typed)];
