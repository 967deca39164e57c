import net from 'node:net';

/** A network between machines and server that can be made worse and better again. */
export type FlakyLine = {
  port: number;
  /** Every connection breaks, and none can be opened, for so many milliseconds. */
  cut(milliseconds: number): Promise<void>;
  /** Requests arrive, answers do not; then every connection breaks. */
  loseAnswers(milliseconds: number): Promise<void>;
  close(): Promise<void>;
};

/** Passes TCP connections on to `target` on this computer. */
export async function flakyLine(target: number): Promise<FlakyLine> {
  const sockets = new Set<net.Socket>();
  let open = true;
  let deaf = false;
  const server = net.createServer((near) => {
    if (!open) return near.destroy();
    const far = net.connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (from === near || !deaf) to.write(bytes);
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
    loseAnswers: async (milliseconds) => {
      deaf = true;
      await wait(milliseconds);
      breakAll();
      deaf = false;
    },
    close: async () => {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
