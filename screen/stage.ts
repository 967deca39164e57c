import { draw } from './draw.ts';
import type { View } from './view.ts';

/** A little longer than --t-fade. */
const FADE_MS = 800;
/** The smallest size of a long name, in vmin. A name that is still too long is cut. */
const NAME_MIN = 3.3;

export type Stage = {
  /** A new slide fades in; new content appears at once. `fresh` animates the newest game. */
  show(view: View, fresh?: boolean): void;
};

function shrinkWords(slide: HTMLElement): void {
  const vmin = Math.min(innerWidth, innerHeight) / 100;
  for (const element of Array.from(slide.querySelectorAll<HTMLElement>('[data-fit]'))) {
    // `scrollWidth` is rounded, and a fraction of a pixel too much already cuts the text.
    const words = document.createRange();
    words.selectNodeContents(element);
    const needed = words.getBoundingClientRect().width;
    const { width } = element.getBoundingClientRect();
    if (needed <= width || width === 0) continue;
    const size = parseFloat(getComputedStyle(element).fontSize) / vmin;
    const wanted = Math.max(NAME_MIN, Math.floor(((size * width) / needed) * 10 - 1) / 10);
    element.style.fontSize = `${wanted}vmin`;
  }
}

export function openStage(root: HTMLElement): Stage {
  let key: string | null = null;
  let shown = '';
  let current: HTMLElement | null = null;
  let leaving: HTMLElement | null = null;

  return {
    show: (view, fresh = false) => {
      const data = JSON.stringify(view);
      if (data === shown) return;
      const old = current;
      const same = view.key === key;
      key = view.key;
      shown = data;
      current = draw(view, fresh);
      if (same) current.classList.add('is-swapped', 'is-on');
      root.append(current);
      shrinkWords(current);
      document.title = `${view.frame.title} · Backboard`;
      if (same) {
        if (old !== null) old.remove();
        return;
      }
      // Force a layout, so that the fade starts transparent.
      void current.offsetWidth;
      current.classList.add('is-on');
      if (leaving !== null) leaving.remove();
      leaving = old;
      if (old === null) return;
      old.classList.remove('is-on', 'is-swapped');
      // Screen readers must find only one slide.
      old.setAttribute('aria-hidden', 'true');
      setTimeout(() => {
        old.remove();
        if (leaving === old) leaving = null;
      }, FADE_MS);
    },
  };
}
