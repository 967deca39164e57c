import type { Ref } from 'react';
import { useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { FieldError } from '../ui/Field.tsx';
import styles from './CodeInput.module.css';
import { cleanCode, press, type Typed, typeInto } from './code.ts';

/** The boxes shake (LOOK-32). */
const SHAKE = [0, -9, 8, -5, 3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
const SHAKE_TIMING = { duration: 420, easing: 'cubic-bezier(.16,1,.3,1)' };

export interface CodeInputHandle {
  focus(): void;
  shake(): void;
}

/**
 * A code of `length` digits, one per box (PROD-14). A code pasted anywhere on the page, or filled
 * in by the phone, fills all boxes.
 */
export function CodeInput({
  ref,
  label,
  length,
  value,
  onChange,
  error,
}: {
  ref: Ref<CodeInputHandle>;
  label: string;
  length: number;
  value: string;
  onChange: (code: string) => void;
  error: string | null;
}) {
  const errorId = useId();
  const group = useRef<HTMLDivElement>(null);
  const fields = () => [...(group.current?.querySelectorAll('input') ?? [])];

  useImperativeHandle(ref, () => ({
    focus: () => fields()[0]?.focus({ preventScroll: true }),
    shake() {
      if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      group.current?.animate(SHAKE, SHAKE_TIMING);
    },
  }));

  function apply(typed: Typed) {
    onChange(typed.code);
    fields()[typed.box]?.focus();
  }

  /** The text that an input method composes, and its box (ACC-71). */
  const [draft, setDraft] = useState<{ box: number; text: string } | null>(null);
  /** The text of the last composition, until the next key. Firefox sends it once more. */
  const composed = useRef<string | null>(null);

  function input(box: number, text: string, composing: boolean) {
    setDraft(composing ? { box, text } : null);
    if (!composing && text !== composed.current)
      apply(typeInto({ code: value, box }, text, length));
  }

  const pasted = useRef<(text: string) => boolean>(() => false);
  useEffect(() => {
    pasted.current = (text) => {
      const code = cleanCode(text, length);
      const box = fields().indexOf(document.activeElement as HTMLInputElement);
      if (code !== '') apply(typeInto({ code: value, box: Math.max(box, 0) }, code, length));
      return code !== '';
    };
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (pasted.current(event.clipboardData?.getData('text') ?? '')) event.preventDefault();
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);

  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would need a visible legend */}
      <div ref={group} className={styles.boxes} role="group" aria-label={label}>
        {Array.from({ length }, (_, box) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is identified by its index
            key={box}
            className={styles.box}
            type="text"
            inputMode="numeric"
            pattern="[0-9]"
            autoComplete={box === 0 ? 'one-time-code' : 'off'}
            aria-label={`Digit ${box + 1} of ${length}`}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? errorId : undefined}
            value={draft?.box === box ? draft.text : (value[box] ?? '')}
            // onChange does not fire when a digit is replaced by an equal one.
            onInput={({ currentTarget, nativeEvent }) =>
              input(box, currentTarget.value, (nativeEvent as InputEvent).isComposing)
            }
            onCompositionEnd={({ currentTarget }) => {
              input(box, currentTarget.value, false);
              composed.current = currentTarget.value;
            }}
            onKeyDown={(event) => {
              composed.current = null;
              if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return;
              const typed = press({ code: value, box }, event.key, length);
              if (typed === null) return;
              event.preventDefault();
              apply(typed);
            }}
            onFocus={(event) => event.currentTarget.select()}
          />
        ))}
      </div>
      <div className={styles.error} role="alert">
        {error && <FieldError id={errorId}>{error}</FieldError>}
      </div>
    </div>
  );
}
