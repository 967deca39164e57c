/** Runs the commands of commands.ts, one after another. */

import { createInterface } from 'node:readline';
import { run } from '../cli/program.ts';
import type { Ran } from './commands.ts';

const answer = process.stdout.write.bind(process.stdout);

async function captured(args: string[]): Promise<Ran> {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    process[name].write = (text: Uint8Array | string) => {
      written[name] += typeof text === 'string' ? text : Buffer.from(text);
      return true;
    };
  return { code: await run(args), ...written };
}

for await (const line of createInterface({ input: process.stdin }))
  answer(`${JSON.stringify(await captured(JSON.parse(line)))}\n`);
