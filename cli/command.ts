import { type Command, InvalidArgumentError } from 'commander';
import { findTarget, type OperatorApi, operatorApi } from './server.ts';

/** Options of every command. */
export type Options = { json?: true };
/** Options of a command that destroys something. */
export type AskingOptions = Options & { yes?: true };

/** The API of the server that the environment variables name. */
export const api = (): OperatorApi => operatorApi(findTarget(process.env));

/** A group of commands, such as `machine`; without a command it shows its help. */
export function group(program: Command, name: string, about: string, examples: string): Command {
  return program.command(name).description(about).addHelpText('after', exampleText(examples));
}

/** One command: `usage` is its name and arguments, `examples` are shown below its help. */
export function leaf(parent: Command, usage: string, about: string, examples: string): Command {
  return parent
    .command(usage)
    .summary(about.split(/[.:](?: |$)/, 1)[0] ?? about)
    .description(about)
    .option('--json', 'print the answer as JSON')
    .addHelpText('after', exampleText(examples));
}

/** A command that asks before it destroys something. */
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

/** Parses a whole number argument. */
export function whole(typed: string): number {
  if (!/^\d{1,9}$/.test(typed)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(typed);
}

/** Parses a date argument. */
export function day(typed: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(typed)) throw new InvalidArgumentError('Write it as YYYY-MM-DD.');
  return typed;
}
