/**
 * Browser tests load this module before the server. It ends the server when its parent ends, even
 * if the parent is killed, because stdin then closes.
 */
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM')).resume();
// Without this, the open stdin would keep the process running.
if ('unref' in process.stdin) process.stdin.unref();
