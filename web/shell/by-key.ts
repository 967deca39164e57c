/**
 * Marks the page while the last input was a key, for the ring of a heading (HAND-99). `:focus-visible`
 * alone would show it on arrival too. Returns the function that ends it.
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
