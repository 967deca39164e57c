import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Settings } from '../config.ts';
import { StartProblem } from './shutdown.ts';

type Address = Pick<Settings, 'host' | 'port'>;

/** Explains in words why a server cannot listen. */
export function portProblem(error: unknown, { host, port }: Address): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartProblem(
        `Port ${port} is in use. Stop the other program, or choose another port: PORT=3001 npm start`,
      );
    case 'EACCES':
      return new StartProblem(
        `This user may not open port ${port}. Choose one from 1024 on: PORT=3000 npm start`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartProblem(`HOST=${host} is no address of this computer.`);
    default:
      return error;
  }
}

/** Refuses a port in use before the server makes anything (OPS-32). @throws StartProblem */
export async function checkPort(address: Address): Promise<void> {
  const server = createServer().listen(address.port, address.host);
  await once(server, 'listening').catch((error: unknown) => {
    throw portProblem(error, address);
  });
  server.close();
  await once(server, 'close');
}
