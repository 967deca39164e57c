import type { UseQueryResult } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { CannotReach } from '../api/client.ts';
import { messageFor } from '../api/message.ts';
import { Button } from '../ui/Button.tsx';
import { NoSignalIcon } from '../ui/Icon.tsx';
import panel from '../ui/Panel.module.css';
import { ShowMyCode } from './ToProfile.tsx';

export type ReadFailureProps = {
  /** What could not be read; "Try again" asks for it once more. */
  query: Pick<UseQueryResult, 'error' | 'isError' | 'refetch'>;
  /** Shown when the server could not be reached: nothing is lost. */
  safe: string;
};

/**
 * Stands in for a page that could not be read, and is read aloud at once: why, a way to ask again,
 * where the focus goes, and the way to the code. When it goes, the page's heading has the focus.
 */
export function ReadFailure({ query, safe }: ReadFailureProps) {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const panel = place.current;
    const heading = document.querySelector('h1');
    // Whoever is elsewhere, in the menu, stays there.
    if ([document.body, heading].includes(document.activeElement as HTMLElement | null))
      panel?.querySelector('button')?.focus();
    return () => {
      if (panel?.contains(document.activeElement)) heading?.focus();
    };
  }, []);
  const noSignal = query.error instanceof CannotReach;
  return (
    <section ref={place} className={`${panel.panel} ${panel.empty}`} role="alert">
      {noSignal && <NoSignalIcon />}
      <h2 className="display">{noSignal ? 'Cannot reach the server' : 'Something went wrong'}</h2>
      <p>{noSignal ? safe : messageFor('anything', query.error)}</p>
      <Button onClick={() => void query.refetch()}>Try again</Button>
      <ShowMyCode className="textlink" />
    </section>
  );
}
