import type { ReactNode } from 'react';
import { useLayoutEffect, useRef, ViewTransition } from 'react';
import './Slide.css';

/** As --t-step and --t-base: how long the height eases with a new pane, and within one. */
const PANE_MS = 320;
const WITHIN_MS = 200;
const EASING = 'cubic-bezier(.16,1,.3,1)';

/**
 * Shows one pane at a time. When `id` changes in a React transition, a picture of the old pane
 * leaves 300 px to the left while the new one enters from the right (`back`: the other way round);
 * so there is never more than one pane to be found, clicked or read. The height eases with whatever
 * changes inside. `above` stands over the panes and does not slide.
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

/** Eases the height of the returned box whenever the height of its only child changes. */
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
    // Called before the frame is painted, so the new height is never seen without its easing.
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
