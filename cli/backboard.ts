import { enableCompileCache } from 'node:module';

// Makes the next command start faster.
enableCompileCache();
const { run } = await import('./program.ts');

// The reader of a pipe may close it early (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.exitCode = await run(process.argv.slice(2));
