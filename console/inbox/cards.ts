/**
 * Focuses the heading of the card after `item`. If no card follows, focuses the heading of the last
 * card; if there is no card, the page's heading.
 */
export function leaveTo(item: Element | null): void {
  const heads = [...document.querySelectorAll<HTMLElement>('.case h3')];
  const after = heads.find(
    (head) => item && item.compareDocumentPosition(head) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  (after ?? heads.at(-1) ?? document.querySelector<HTMLElement>('h1'))?.focus();
}

/** What a card of the inbox gets. */
export type CardProps<Of> = {
  of: Of;
  /** Whether somebody else settled it. */
  gone: boolean;
  /** Called with true before a decision is sent, and with false if it failed or was undone. */
  onDecide: (decided: boolean) => void;
  /** Called when the server says that it is settled already. */
  onStale: () => void;
  onHide: () => void;
};
