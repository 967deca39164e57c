import { useEffect, useState } from 'react';
import { onServerTime, serverNow } from './server-clock.ts';

/** The server's time, read again every `everyMs` and when the difference to the device changes. */
export function useServerTime(everyMs: number): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const read = () => setNow(serverNow());
    const stop = onServerTime(read);
    const timer = setInterval(read, everyMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [everyMs]);
  return now;
}
