import { useEffect, useState } from 'react';
import { ownTask } from '../ui/own-task.ts';

type Strips = typeof import('./strips.ts');
let loaded: Strips | null = null;

/**
 * The script of strips, or null until it has loaded. Without it the page stays as it is. A `lazy`
 * strip would come 300 ms later, because React throttles what suspends.
 */
export function useStrips(): Strips | null {
  const [strips, setStrips] = useState(loaded);
  useEffect(() => {
    if (loaded !== null) return;
    const show = (found: Strips) => {
      loaded = found;
      setStrips(found);
    };
    ownTask()
      .then(() => import('./strips.ts'))
      .then(show, () => undefined);
  }, []);
  return strips;
}
