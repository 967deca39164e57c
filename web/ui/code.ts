/** A code as far as it is typed, without gaps, and the box that has the focus (0 is the first). */
export interface Typed {
  code: string;
  box: number;
}

/** Only digits, at most `length` of them (spec 5). */
export function cleanCode(text: string, length: number): string {
  return text.replace(/\D/g, '').slice(0, length);
}

/**
 * What becomes of `code` when the field of `box` suddenly holds `text`: a digit more, a digit
 * replaced, nothing, or a whole code from the clipboard or the phone. A whole code replaces
 * everything; fewer digits go in from this box on. There are never gaps: what is typed into a box
 * further on lands in the first empty one.
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

/** The digits that came to the `old` one in its box, on whichever side of it. */
function withoutOld(digits: string, old: string): string {
  if (old === '' || digits.length < 2) return digits;
  if (digits.startsWith(old)) return digits.slice(1);
  return digits.endsWith(old) ? digits.slice(0, -1) : digits;
}

/** What a key does; null when it means nothing here and the browser may have it. */
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
      // In an empty box it takes the digit before; in a full one the browser empties it.
      if (box === 0 || code[box] !== undefined) return null;
      return {
        code: code.slice(0, box - 1) + code.slice(box),
        box: Math.min(box, code.length) - 1,
      };
    default:
      return null;
  }
}
