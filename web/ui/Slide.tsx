import type { ReactNode } from 'react';
import { useLayoutEffect, useRef, ViewTransition } from 'react';
import './Slide.css';

/** How long the height eases when the pane changes. Equal to --t-step. */
const PANE_MS = 320;
/** How long the height eases when only a pane's content changes. Equal to --t-base. */
const WITHIN_MS = 200;
const EASING = 'cubic-bezier(.16,1,.3,1)';

/**
 * Shows one pane at a time. When `id` changes in a React transition, a snapshot of the old pane
 * slides out and the new pane slides in (LOOK-30); `back` reverses the direction. The height eases.
 * `above` does not slide.
 */
export function Slide({
  id,
  back,
  above,
  children,
}: {
  id: string;
  back: boolean;
  above?: ReactNode;
  children: ReactNode;
}) {
  useLayoutEffect(() => {
    document.documentElement.dataset.slide = back ? 'back' : 'on';
  }, [back]);
  const box = useEasedHeight(id);
  return (
    <div ref={box}>
      <div>
        {above}
        <ViewTransition key={id} default="none" enter="slide" exit="slide">
          <div>{children}</div>
        </ViewTransition>
      </div>
    </div>
  );
}

/** A ref for a box whose height eases to that of its only child. */
function useEasedHeight(paneId: string) {
  const box = useRef<HTMLDivElement>(null);
  const pane = useRef(paneId);
  useLayoutEffect(() => {
    pane.current = paneId;
  });
  useLayoutEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return;
    let height = inner.getBoundingClientRect().height;
    let eased = pane.current;
    // A ResizeObserver runs before the paint, so the new height is never painted too early.
    const watch = new ResizeObserver(() => {
      const before = height;
      height = inner.getBoundingClientRect().height;
      const duration = pane.current === eased ? WITHIN_MS : PANE_MS;
      eased = pane.current;
      if (before === height || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
      outer.animate({ height: [`${before}px`, `${height}px`] }, { duration, easing: EASING });
    });
    watch.observe(inner);
    return () => watch.disconnect();
  }, []);
  return box;
}
