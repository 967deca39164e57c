/** Loaded before the server. Ends the server when the parent process ends, which closes stdin. */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// An open stdin would keep the process running.
if ('unref' in process.stdin) process.stdin.unref();
