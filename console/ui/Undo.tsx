import { type ReactNode, useEffect, useRef, useState } from 'react';
import { TickIcon } from './Icon.tsx';

const UNDO_SECONDS = 10;
const TICK_MS = 100;

/** Why the time stands still. */
type Hold = 'pointer' | 'focus' | 'window';
const STANDS_STILL: Record<Hold, string> = {
  pointer: 'Stands still while the pointer is on Undo.',
  focus: 'Stands still while Undo has the focus.',
  window: 'Stands still while the window is hidden.',
};

function holdOf(button: HTMLButtonElement | null, pointed: boolean): Hold | null {
  if (document.hidden) return 'window';
  if (pointed) return 'pointer';
  return button?.matches(':focus-visible') ? 'focus' : null;
}

/**
 * A choice that can be undone for ten seconds (OPS-17). Calls `onSend` once: after this time, or at
 * once when the line or the page goes away (`keepalive`). `then` completes the sentence “Then …”.
 * The time stands still while Undo has the pointer or the focus, and while the window is hidden.
 * Mounting focuses Undo.
 */
export function Undo({
  children,
  then,
  onUndo,
  onSend,
}: {
  children: ReactNode;
  then: string;
  onUndo: () => void;
  onSend: (keepalive: boolean) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  /**
   * Whether somebody moved a mouse or pen onto Undo. A pointer that rested where Undo appeared does
   * not count, because the choice would never be sent. `:hover` does not fit: it would count such a
   * pointer, and it stays true after a tap.
   */
  const pointed = useRef(false);
  const [left, setLeft] = useState(UNDO_SECONDS * 1_000);
  const [hold, setHold] = useState<Hold | null>(null);
  const settled = useRef(false);
  const mounted = useRef(false);
  const latest = useRef(onSend);
  latest.current = onSend;

  useEffect(() => {
    mounted.current = true;
    button.current?.focus();
    const send = (keepalive: boolean) => {
      if (settled.current) return;
      settled.current = true;
      latest.current(keepalive);
    };
    let rest = UNDO_SECONDS * 1_000;
    const timer = setInterval(() => {
      const now = holdOf(button.current, pointed.current);
      setHold(now);
      if (now !== null || settled.current) return;
      rest -= TICK_MS;
      if (rest <= 0) send(false);
      else setLeft(rest);
    }, TICK_MS);
    const leave = () => send(true);
    window.addEventListener('pagehide', leave);
    return () => {
      mounted.current = false;
      clearInterval(timer);
      window.removeEventListener('pagehide', leave);
      // Send nothing if React's strict mode mounts the line again at once.
      queueMicrotask(() => mounted.current || send(true));
    };
  }, []);

  return (
    <div className="done">
      <TickIcon />
      <div>
        {children}
        {/* Reserve room for the longest sentence, so that Undo does not move under the pointer. */}
        <small className="done__t" data-longest={STANDS_STILL.pointer}>
          <span>{hold === null ? 'You have 10 seconds to undo.' : STANDS_STILL[hold]}</span>
        </small>
        Then {then}
      </div>
      <button
        ref={button}
        className="btn"
        type="button"
        onPointerMove={({ pointerType, movementX, movementY }) => {
          if (pointerType !== 'touch' && (movementX !== 0 || movementY !== 0))
            pointed.current = true;
        }}
        onPointerLeave={() => {
          pointed.current = false;
        }}
        onClick={({ detail }) => {
          // Ignore the second click of a double click on the button that was here before.
          if (settled.current || detail > 1) return;
          settled.current = true;
          onUndo();
        }}
      >
        Undo<span aria-hidden="true"> {Math.ceil(left / 1_000)}</span>
        <span className="sr">, for 10 seconds</span>
      </button>
      <span
        className={hold === null ? 'left' : 'left left--still'}
        aria-hidden="true"
        style={{ width: `${left / (UNDO_SECONDS * 10)}%` }}
      />
    </div>
  );
}
