import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openCommands, type Ran } from '../commands.ts';
import { OPERATOR_KEY, type TestApp } from './test-app.ts';

export const LAUNCHER = join(import.meta.dirname, '../../backboard');

/** Runs a program to its end. `input` is its stdin. */
export function run(
  command: string,
  args: string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string; input?: string },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const { env, cwd, input = '' } = options;
    const child = spawn(command, args, { env, cwd, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** An operator's environment, without npm's and vitest's variables. */
export function operatorEnv(url: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    TZ: 'UTC',
    BACKBOARD_URL: url,
    BACKBOARD_OPERATOR_KEY: OPERATOR_KEY,
    ...more,
  };
}

/** Opens the app on a free port. `backboard` runs `./backboard` against it. */
export async function commandLine(t: TestApp) {
  const url = await t.app.listen({ host: '127.0.0.1', port: 0 });
  const commands = openCommands(operatorEnv(url));
  return {
    url,
    backboard: commands.run,
    close: commands.close,
    /** Parses the output of `--json`. @throws Error if the command fails */
    json: async (...args: string[]) => {
      const ran = await commands.run(...args, '--json');
      if (ran.code !== 0) throw new Error(`${args.join(' ')}: ${ran.stderr}`);
      return JSON.parse(ran.stdout);
    },
    /** Runs the command on a terminal and types `input`. stdout is what the terminal shows. */
    onTerminal: (input: string, ...args: string[]): Promise<Ran> => {
      const line = [LAUNCHER, ...args].map((word) => `'${word}'`).join(' ');
      return run('script', ['-qec', line, '/dev/null'], { env: operatorEnv(url), input });
    },
  };
}
