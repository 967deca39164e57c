import { useEffect } from 'react';
import type { Client } from '../api/client.ts';
import { getPush } from '../api/profile-calls.ts';
import { ownTask } from '../ui/own-task.ts';

/* Loads the code of notifications only for a browser that was asked about them. */

const wasAsked = () => 'Notification' in window && Notification.permission !== 'default';

/** At each start, updates the server's device to match this browser (PUSH-33). */
export function useBrowserPush(api: Client, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    // Reading the permission takes 15 ms on a slow phone.
    ownTask()
      .then(async () => {
        if (!wasAsked()) return;
        const [{ followBrowser }, push] = await Promise.all([
          import('../session/push.ts'),
          getPush(api),
        ]);
        await followBrowser(api, push);
      })
      .catch((error: unknown) => console.warn('The notifications could not be checked.', error));
  }, [api, enabled]);
}
