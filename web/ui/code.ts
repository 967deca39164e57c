/** The typed part of a code, without gaps, and the index of the focused box. */
export interface Typed {
  code: string;
  box: number;
}

/** Keeps only digits, at most `length` of them. */
export function cleanCode(text: string, length: number): string {
  return text.replace(/\D/g, '').slice(0, length);
}

/**
 * The code and the focus after the input of `box` has changed to `text`: a digit was added,
 * replaced or deleted, or a code came from the clipboard or the phone. A whole code replaces
 * everything; fewer digits overwrite the boxes from this one on. A code has no gaps: digits typed
 * into a later box fill the first empty box instead.
 */
export function typeInto({ code, box }: Typed, text: string, length: number): Typed {
  const digits = cleanCode(text, length);
  if (digits.length === length) return { code: digits, box: length - 1 };
  if (text === '') return { code: code.slice(0, box) + code.slice(box + 1), box };
  const at = Math.min(box, code.length);
  const added = withoutOld(digits, code[box] ?? '');
  return {
    code: (code.slice(0, at) + added + code.slice(at + added.length)).slice(0, length),
    box: Math.min(at + added.length, length - 1),
  };
}

/** `digits` without the digit `old` of the box, next to which the others were typed. */
function withoutOld(digits: string, old: string): string {
  if (old === '' || digits.length < 2) return digits;
  if (digits.startsWith(old)) return digits.slice(1);
  return digits.endsWith(old) ? digits.slice(0, -1) : digits;
}

/** The code and the focus after a key; null for keys that the browser handles. */
export function press({ code, box }: Typed, key: string, length: number): Typed | null {
  switch (key) {
    case 'ArrowLeft':
      return { code, box: Math.max(box - 1, 0) };
    case 'ArrowRight':
      return { code, box: Math.min(box + 1, length - 1) };
    case 'Home':
      return { code, box: 0 };
    case 'End':
      return { code, box: Math.min(code.length, length - 1) };
    case 'Backspace':
      // In an empty box Backspace deletes the previous digit. In a filled box the browser deletes
      // the digit itself.
      if (box === 0 || code[box] !== undefined) return null;
      return {
        code: code.slice(0, box - 1) + code.slice(box),
        box: Math.min(box, code.length) - 1,
      };
    default:
      return null;
  }
}
