/**
 * Loaded before the server in browser tests. Ends the server when its parent process ends. This
 * works even if the parent was killed, because stdin closes then.
 */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// The open stdin must not keep the process running.
if ('unref' in process.stdin) process.stdin.unref();
