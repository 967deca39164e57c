import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '..');
const PROGRAM = join(import.meta.dirname, 'commands.child.ts');

export type Ran = { code: number | null; stdout: string; stderr: string };

/**
 * Runs commands of `./backboard` with this environment in one child process, because starting a
 * process for each command takes a third of a second. The child ends with `close` or with this
 * process.
 */
export function openCommands(env: NodeJS.ProcessEnv) {
  let child: ChildProcess | undefined;
  let answers: AsyncIterator<string> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function start(): void {
    const started = spawn(join(ROOT, 'node_modules/.bin/node'), [PROGRAM], {
      cwd: '/',
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    answers = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
    child = started;
  }

  async function ask(args: string[]): Promise<Ran> {
    if (child === undefined) start();
    child?.stdin?.write(`${JSON.stringify(args)}\n`);
    const line = await answers?.next();
    if (line === undefined || line.done) throw new Error('the process of the commands has ended');
    return JSON.parse(line.value);
  }

  return {
    run: (...args: string[]): Promise<Ran> => {
      const ran = last.then(() => ask(args));
      last = ran.catch(() => undefined);
      return ran;
    },
    close: () => child?.stdin?.end(),
  };
}
