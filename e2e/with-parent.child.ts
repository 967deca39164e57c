/** Loaded before the server, to end it with its parent: stdin then closes. */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// stdin would keep the process running.
if ('unref' in process.stdin) process.stdin.unref();
