/** Removes the painted skeleton of /profile when `root` has a page. */
export function removeBoxes(root: HTMLElement): void {
  const boxes = document.getElementById('frame');
  if (boxes === null) return;
  new MutationObserver((_, observer) => {
    if (root.querySelector('main') === null) return;
    observer.disconnect();
    boxes.remove();
  }).observe(root, { childList: true, subtree: true });
}
