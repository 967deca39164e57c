import { enableCompileCache } from 'node:module';

// A command should answer at once: the next one need not read all the sources again.
enableCompileCache();
const { run } = await import('./program.ts');

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.exitCode = await run(process.argv.slice(2));
