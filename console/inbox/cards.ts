import { useRef } from 'react';
import { ApiError, CannotReach } from '../api/client.ts';
import { useDecision } from '../shell/Undo.tsx';

/**
 * Focuses the heading of the card after `item`. If no card follows, focuses the heading of the last
 * card; if there is no card, the page's heading.
 */
function leaveTo(item: Element | null): void {
  const heads = [...document.querySelectorAll<HTMLElement>('.case h3')];
  const after = heads.find(
    (head) => item && item.compareDocumentPosition(head) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  (after ?? heads.at(-1) ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

/** What a card of the inbox gets. */
export type CardProps<Of> = {
  of: Of;
  /** Whether somebody else settled the case. */
  gone: boolean;
  /** Called with true before a decision is sent, and with false if it failed or was undone. */
  onDecide: (decided: boolean) => void;
  /** Called when the server says that the case is settled already. */
  onStale: () => void;
  onHide: () => void;
};

/**
 * The decision on a card. `item` is the card's element; `leave` hides the card, and moves the focus
 * on if the card has it.
 */
export function useCard<How>(
  { onDecide, onStale, onHide }: Omit<CardProps<unknown>, 'of' | 'gone'>,
  calls: Pick<Parameters<typeof useDecision<How>>[0], 'send' | 'reverse' | 'stale'>,
) {
  const item = useRef<HTMLLIElement>(null);
  const leave = () => {
    if (item.current?.contains(document.activeElement)) leaveTo(item.current);
    onHide();
  };
  const decision = useDecision<How>({
    ...calls,
    onFailed: (error) => {
      onDecide(false);
      if (error instanceof ApiError && [404, 409].includes(error.status)) onStale();
    },
    onUndone: () => onDecide(false),
    onEnd: leave,
  });
  const decide = (how: How) => {
    onDecide(true);
    decision.decide(how);
  };
  /** What a failed decision says. Without an answer, the decision may have been made. */
  const kept = decision.sending.error instanceof CannotReach ? undefined : 'Nothing has changed.';
  /** Where the focus goes when Undo brings the card back. */
  const focusFirst = () => item.current?.querySelector<HTMLElement>('.case__d button')?.focus();
  return { item, leave, decision, decide, kept, focusFirst };
}
