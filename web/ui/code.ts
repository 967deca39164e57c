/** `code` has the typed digits, without gaps. `box` is the index of the focused box. */
export interface Typed {
  code: string;
  box: number;
}

export function cleanCode(text: string, length: number): string {
  return text.replace(/\D/g, '').slice(0, length);
}

/**
 * Returns the code and the focus after the input `box` has changed to `text`. The player has added,
 * replaced or deleted a digit, or the clipboard or the phone has filled in a code. A full code
 * replaces all digits. Fewer digits overwrite the boxes from `box` on. A code has no gaps, so
 * digits that are typed after the first empty box go into that box.
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

/**
 * Returns the new digits of a box. `digits` is all that the box has, and `old` the digit that it
 * had before.
 */
function withoutOld(digits: string, old: string): string {
  if (old === '' || digits.length < 2) return digits;
  if (digits.startsWith(old)) return digits.slice(1);
  return digits.endsWith(old) ? digits.slice(0, -1) : digits;
}

/** Returns the code and the focus after `key`; null for keys that the browser handles. */
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
      // Backspace in an empty box deletes the previous digit. In a filled box, the browser itself
      // deletes the digit.
      if (box === 0 || code[box] !== undefined) return null;
      return {
        code: code.slice(0, box - 1) + code.slice(box),
        box: Math.min(box, code.length) - 1,
      };
    default:
      return null;
  }
}
