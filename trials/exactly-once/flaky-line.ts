import net from 'node:net';

/** A TCP proxy between machines and server, with faults. */
export type FlakyLine = {
  port: number;
  /** Breaks all connections, and refuses new ones for this long. */
  cut(milliseconds: number): Promise<void>;
  /** Delivers requests but drops responses for this long, then breaks all connections. */
  loseResponses(milliseconds: number): Promise<void>;
  /** Breaks all connections and refuses new ones until `reopen`. */
  shut(): void;
  reopen(): void;
  /** Delays all data by this much, in both directions. */
  delay(milliseconds: number): void;
  close(): Promise<void>;
};

/** Proxies connections to the port `target`. */
export async function flakyLine(target: number): Promise<FlakyLine> {
  const sockets = new Set<net.Socket>();
  let open = true;
  let dropping = false;
  let late = 0;
  const server = net.createServer((near) => {
    if (!open) return near.destroy();
    const far = net.connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (from !== near && dropping) return;
        if (late === 0) to.write(bytes);
        else setTimeout(() => to.destroyed || to.write(bytes), late);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  return {
    port: (server.address() as net.AddressInfo).port,
    cut: async (milliseconds) => {
      open = false;
      breakAll();
      await wait(milliseconds);
      open = true;
    },
    loseResponses: async (milliseconds) => {
      dropping = true;
      await wait(milliseconds);
      breakAll();
      dropping = false;
    },
    shut: () => {
      open = false;
      breakAll();
    },
    reopen: () => {
      open = true;
    },
    delay: (milliseconds) => {
      late = milliseconds;
    },
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
