import { useRef, useState } from 'react';
import { copyText, SELECTED } from '../../web/ui/copy.ts';
import { Button } from './Button.tsx';

/** A text to type elsewhere, and a copy button. `what` names the text for screen readers. */
export function Copyable({ text, what }: { text: string; what?: string }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const shown = useRef<HTMLElement>(null);
  return (
    <div className="cmd">
      <code ref={shown}>{text}</code>
      <Button look="txt" onClick={() => void copyText(text, shown.current).then(setCopied)}>
        {copied === null ? 'Copy' : copied ? 'Copied' : SELECTED}
        <span className="sr"> {what ?? text}</span>
      </Button>
    </div>
  );
}
