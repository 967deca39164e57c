import { latinDigits } from '#contract/rules/digits.ts';

/** `code` has the typed digits without gaps. `box` is the index of the focused box. */
export interface Typed {
  code: string;
  box: number;
}

export function cleanCode(text: string, length: number): string {
  return latinDigits(text).replace(/\D/g, '').slice(0, length);
}

/**
 * Returns the code and the focus after the input `box` has changed to `text`. A full code replaces
 * all digits; fewer overwrite the boxes from `box` on. A code has no gaps, so a digit after the
 * first empty box goes into that box.
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

/** The new digits in a box: `digits` without the `old` one. */
function withoutOld(digits: string, old: string): string {
  if (old === '' || digits.length < 2) return digits;
  if (digits.startsWith(old)) return digits.slice(1);
  return digits.endsWith(old) ? digits.slice(0, -1) : digits;
}

/** The code and focus after `key`; null for keys that the browser handles. */
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
      // Backspace in an empty box deletes the previous digit; in a filled one the browser does it.
      if (box === 0 || code[box] !== undefined) return null;
      return {
        code: code.slice(0, box - 1) + code.slice(box),
        box: Math.min(box, code.length) - 1,
      };
    default:
      return null;
  }
}
