import { enableCompileCache } from 'node:module';

// Cache the compiled code, so that the next command starts faster.
enableCompileCache();
const { run } = await import('./program.ts');

// A reader that closes the pipe early (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
process.exitCode = await run(process.argv.slice(2));
