/**
 * Imported before the server of the browser tests: ends the server with its parent process, even
 * when that was killed, because then its stdin closes.
 */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// Do not keep the process running only to wait for this.
if ('unref' in process.stdin) process.stdin.unref();
