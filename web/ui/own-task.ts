/**
 * Resolves in a new task. What a page begins at once then does not block a slow phone as one long
 * task. No timer does it, because browsers slow the timers of a hidden page.
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
