import { useEffect, useState } from 'react';

/** The server's time in ms, each second. `skew`: the server's clock minus this phone's. */
export function useServerNow(skew: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now + skew;
}
