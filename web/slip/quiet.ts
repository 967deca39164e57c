/** A slip waits this long after the player leaves the last dialog, menu or field (HAND-06). */
const QUIET_MS = 300;
const LOOK_EVERY_MS = 100;

/** Whether a dialog or menu, other than the code page, is open, or a field has focus (HAND-06). */
function isBusy(): boolean {
  return (
    document.querySelector('dialog[open]:not([data-slip]), [role="menu"]') !== null ||
    (document.activeElement?.matches(
      'input:not([type="checkbox"], [type="radio"], [type="range"]), select, textarea',
    ) ??
      false)
  );
}

/** Calls `show` now, or when the page has been quiet for a moment. Returns a function to stop. */
export function whenQuiet(show: () => void): () => void {
  if (!isBusy()) {
    show();
    return () => undefined;
  }
  let quietSince = Number.POSITIVE_INFINITY;
  const timer = setInterval(() => {
    if (isBusy()) quietSince = Number.POSITIVE_INFINITY;
    else quietSince = Math.min(quietSince, Date.now());
    if (Date.now() - quietSince < QUIET_MS) return;
    clearInterval(timer);
    show();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
