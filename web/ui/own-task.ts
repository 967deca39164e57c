/**
 * Resolves in a new task, so that work that starts together does not become one long task on a slow
 * phone. Not by `setTimeout`, because browsers throttle the timers of hidden pages.
 */
export const ownTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
