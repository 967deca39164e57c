import { type ReactNode, useEffect, useRef, useState } from 'react';
import { TickIcon } from './Icon.tsx';

const UNDO_SECONDS = 10;
const TICK_MS = 100;

/**
 * A choice that can be undone for ten seconds. Calls `onSend` once: after this time, or immediately
 * when the line or the page goes away (`keepalive` is then true). Nothing is sent earlier, so Undo
 * has nothing to reverse (OPS-17). The time stops while Undo has the pointer or the focus, and
 * while the window is hidden. A new line puts the focus on Undo.
 */
export function Undo({
  children,
  onUndo,
  onSend,
}: {
  children: ReactNode;
  onUndo: () => void;
  onSend: (keepalive: boolean) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [left, setLeft] = useState(UNDO_SECONDS * 1_000);
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
      const held = document.hidden || button.current?.matches(':hover, :focus-visible');
      if (held || settled.current) return;
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
      // In React's strict mode, the component unmounts and mounts again immediately. Do not send
      // then.
      queueMicrotask(() => mounted.current || send(true));
    };
  }, []);

  return (
    <div className="done">
      <TickIcon />
      <div>{children}</div>
      <button
        ref={button}
        className="btn"
        type="button"
        onClick={() => {
          if (settled.current) return;
          settled.current = true;
          onUndo();
        }}
      >
        Undo<span aria-hidden="true"> {Math.ceil(left / 1_000)}</span>
        <span className="sr">, for 10 seconds</span>
      </button>
      <span
        className="left"
        aria-hidden="true"
        style={{ width: `${left / (UNDO_SECONDS * 10)}%` }}
      />
    </div>
  );
}
