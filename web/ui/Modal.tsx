import type { ReactNode } from 'react';
import { useId, useLayoutEffect, useRef } from 'react';
import styles from './Modal.module.css';

/** The buttons at the foot of a dialog, beside each other where there is room. */
export function ModalButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}

/**
 * A native modal dialog: a sheet from below on phones, centred from 640 px (LOOK-46). The browser
 * traps the focus, moves it to the first control, and returns it on close. Mount it to open it; Esc
 * calls `onClose`.
 */
export function Modal({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Use a layout effect, so that the dialog is closed before it is removed: the browser then
  // returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
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
      <h2 id={titleId} className={`display ${styles.title}`}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
