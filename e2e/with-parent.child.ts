/** Loaded before the server. Ends the server with its parent: stdin closes even if it is killed. */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// The open stdin would keep the process running.
if ('unref' in process.stdin) process.stdin.unref();
