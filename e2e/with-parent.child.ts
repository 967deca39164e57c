/** Loaded before the server: ends it with its parent, even a killed one, because stdin closes. */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// The open stdin would keep the process running.
if ('unref' in process.stdin) process.stdin.unref();
