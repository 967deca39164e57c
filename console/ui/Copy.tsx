import { useRef, useState } from 'react';
import { copyText } from '../../web/ui/copy.ts';

/** What a copy button says when the text could only be selected. */
export const SELECTED = 'Selected: press Ctrl+C, or hold it and choose Copy';

/** A text to type elsewhere, and a copy button. `what` names the text for screen readers. */
export function Copyable({ text, what }: { text: string; what?: string }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const shown = useRef<HTMLElement>(null);
  return (
    <div className="cmd">
      <code ref={shown}>{text}</code>
      <button
        className="txt"
        type="button"
        onClick={() => void copyText(text, shown.current).then(setCopied)}
      >
        {copied === null ? 'Copy' : copied ? 'Copied' : SELECTED}
        <span className="sr"> {what ?? text}</span>
      </button>
    </div>
  );
}
