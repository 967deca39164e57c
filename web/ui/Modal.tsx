import type { ReactNode } from 'react';
import { useId, useLayoutEffect, useRef } from 'react';
import styles from './Modal.module.css';

/** The buttons of a dialog, side by side if there is room. */
export function ModalButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}

/**
 * Opens a native dialog while it is mounted. The heading takes the focus; without one, the browser
 * focuses the first control.
 */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect's cleanup closes the dialog before React removes it. Otherwise the browser does
  // not return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    heading.current?.focus();
    return () => element?.close();
  }, []);
  return { dialog, heading };
}

/**
 * A native modal dialog: a sheet on phones, centred from 640 px on (LOOK-46). Mounting opens it.
 * The browser focuses the first control, traps the focus, and returns it. Esc calls `onClose`.
 */
export function Modal({
  title,
  onClose,
  frame,
  children,
}: {
  title: string;
  onClose: () => void;
  /** Draws a frame around the heading, which then takes the focus. */
  frame?: (heading: ReactNode) => ReactNode;
  children: ReactNode;
}) {
  const { dialog, heading: framed } = useModal();
  const titleId = useId();
  const heading = (
    <h2
      id={titleId}
      className={`display ${styles.title}`}
      {...(frame && { ref: framed, tabIndex: -1 })}
    >
      {title}
    </h2>
  );
  return (
    <dialog
      ref={dialog}
      className={styles.modal}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {frame ? frame(heading) : heading}
      {children}
    </dialog>
  );
}
