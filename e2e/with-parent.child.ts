/**
 * Loaded before the server in browser tests. Ends the server with its parent, even after a kill:
 * stdin then closes.
 */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// The open stdin must not keep the process running.
if ('unref' in process.stdin) process.stdin.unref();
