import { type ComponentProps, useState } from 'react';

type Typing = Pick<ComponentProps<'input'>, 'value' | 'onInput' | 'onCompositionEnd'>;

/**
 * Props of an input whose text is cleaned as it is typed. While an input method composes, the box
 * shows what it composes, and `onText` waits for the result (ACC-71).
 */
export function useComposed(value: string, onText: (text: string) => void): Typing {
  const [draft, setDraft] = useState<string | null>(null);
  return {
    value: draft ?? value,
    onInput: ({ currentTarget, nativeEvent }) => {
      const composing = (nativeEvent as InputEvent).isComposing;
      setDraft(composing ? currentTarget.value : null);
      if (!composing) onText(currentTarget.value);
    },
    onCompositionEnd: ({ currentTarget }) => {
      setDraft(null);
      onText(currentTarget.value);
    },
  };
}
