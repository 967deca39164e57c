import { useLayoutEffect, useRef, useState } from 'react';
import { Failed } from './Notice.tsx';

/**
 * Says why the server refused the form around it, unless a field says so. Scrolls to the sentence,
 * and focuses the field that has it. `what` is a participle: “Not made”.
 */
export function Refused({ what, error }: { what: string; error: unknown }) {
  const place = useRef<HTMLDivElement>(null);
  const [saysField, setSaysField] = useState(false);
  useLayoutEffect(() => {
    if (!error) return;
    const said = place.current?.closest('form')?.querySelector('.field > .err');
    setSaysField(said != null);
    (said ?? place.current)?.scrollIntoView({ block: 'center' });
    said?.parentElement
      ?.querySelector<HTMLElement>('input, select, textarea')
      ?.focus({ preventScroll: true });
  }, [error]);
  return <div ref={place}>{error && !saysField ? <Failed what={what} error={error} /> : null}</div>;
}
