import type { ReactNode } from 'react';
import { useId, useLayoutEffect, useRef } from 'react';
import styles from './Modal.module.css';

/** A dialog's buttons, side by side if there is room. */
export function ModalButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}

/**
 * A native modal dialog: a sheet at the bottom on phones, centred from 640 px on (LOOK-46). Mount
 * it to open it. The browser focuses the first control, traps the focus, and returns it when the
 * dialog closes. Esc calls `onClose`.
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
  // Use a layout effect, because its cleanup closes the dialog before React removes it. Only then
  // does the browser return the focus.
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
