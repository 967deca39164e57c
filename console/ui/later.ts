import { useEffect, useState } from 'react';

/** The preview waits until nobody has typed for this long. */
const TYPING_MS = 300;

/** `value`, when it has been the same for a moment. */
export function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), TYPING_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}
