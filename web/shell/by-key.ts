/**
 * Marks the page while the last input was a key, so that a heading shows its focus ring (HAND-99).
 * `:focus-visible` alone would show the ring on arrival too. Returns a function that stops the
 * marking.
 */
export function markKeys(): () => void {
  const { dataset } = document.documentElement;
  const mark = () => {
    dataset.key = '';
  };
  const clear = () => {
    delete dataset.key;
  };
  document.addEventListener('keydown', mark);
  document.addEventListener('pointerdown', clear);
  return () => {
    clear();
    document.removeEventListener('keydown', mark);
    document.removeEventListener('pointerdown', clear);
  };
}
