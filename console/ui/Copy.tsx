import { useState } from 'react';

/** A text to type elsewhere, and a copy button. `what` names the text for screen readers. */
export function Copyable({ text, what }: { text: string; what?: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="cmd">
      <code>{text}</code>
      <button
        className="txt"
        type="button"
        onClick={() =>
          void navigator.clipboard.writeText(text).then(
            () => setCopied(true),
            () => undefined,
          )
        }
      >
        {copied ? 'Copied' : 'Copy'}
        <span className="sr"> {what ?? text}</span>
      </button>
    </div>
  );
}
