/**
 * Shows a sentence whose parts between `**` are bold. A sentence stays one string, so that it can
 * be translated.
 */
export function Marked({ text }: { text: string }) {
  return text
    .split('**')
    .map((part, at) => ({ part, at }))
    .map(({ part, at }) =>
      at % 2 === 1 ? <b key={at}>{part}</b> : part && <span key={at}>{part}</span>,
    );
}

/** The sentence without its marks. */
export const plain = (text: string) => text.replaceAll('**', '');
