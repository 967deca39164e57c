/**
 * Loaded before the server of the browser tests: it ends with the process that started it, also when
 * that was killed and could tell nobody. Then the pipe of its stdin is closed.
 */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// Waiting for that is no reason to go on when everything else is over.
if ('unref' in process.stdin) process.stdin.unref();
