import type { UseQueryResult } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { CannotReach } from '../api/client.ts';
import { messageFor } from '../api/message.ts';
import { Button } from '../ui/Button.tsx';
import { NoSignalIcon } from '../ui/Icon.tsx';
import panel from '../ui/Panel.module.css';
import { ShowMyCode } from './ToProfile.tsx';

export type ReadFailureProps = {
  query: Pick<UseQueryResult, 'error' | 'isError' | 'refetch'>;
  /** Says, when no response came, that no data is lost. */
  safe: string;
};

/**
 * Replaces content that could not be read. “Try again” takes the focus; on unmount, the page's
 * heading takes it.
 */
export function ReadFailure({ query, safe }: ReadFailureProps) {
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const panel = section.current;
    const heading = document.querySelector('h1');
    // Do not take the focus from another element, such as the menu.
    if ([document.body, heading].includes(document.activeElement as HTMLElement | null))
      panel?.querySelector('button')?.focus();
    return () => {
      if (panel?.contains(document.activeElement)) heading?.focus();
    };
  }, []);
  const noSignal = query.error instanceof CannotReach;
  return (
    <section ref={section} className={`${panel.panel} ${panel.empty}`} role="alert">
      {noSignal && <NoSignalIcon />}
      <h2 className="display">{noSignal ? 'Cannot reach the server' : 'Something went wrong'}</h2>
      <p>{noSignal ? safe : messageFor('anything', query.error)}</p>
      <Button onClick={() => void query.refetch()}>Try again</Button>
      <ShowMyCode className="textlink" />
    </section>
  );
}
