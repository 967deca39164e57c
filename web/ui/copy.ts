/**
 * Copies `text`, which `shown` displays. Without a clipboard, as over plain http, it copies a
 * selection of `shown`. Returns false if that fails too: then the selection stays, and the caller
 * says so (PROD-164).
 */
export async function copyText(text: string, shown: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shown === null) return false;
    // The shown text may have gaps or line breaks for the eye.
    const onCopy = (event: ClipboardEvent) => {
      event.clipboardData?.setData('text/plain', text);
      event.preventDefault();
    };
    window.getSelection()?.selectAllChildren(shown);
    document.addEventListener('copy', onCopy);
    const copied = document.execCommand?.('copy') ?? false;
    document.removeEventListener('copy', onCopy);
    return copied;
  }
}

/** What a copy button says when the text could only be selected. */
export const SELECTED = 'Selected: press Ctrl+C, or hold it and choose Copy';

/** Prints the page. Returns false if the browser cannot print, such as one inside an app. */
export function printPage(): boolean {
  if (typeof window.print !== 'function') return false;
  window.print();
  return true;
}

export const CANNOT_PRINT = 'This browser cannot print. Open this page in another one.';
