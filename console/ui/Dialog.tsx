import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

/**
 * A modal dialog: at a phone's lower edge, centred from 640 px on. Mounting opens it and focuses
 * `data-first`, otherwise the heading. Closing focuses the button that opened it.
 */
export function Dialog({
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
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    const first = element?.querySelector<HTMLElement>('[data-first]');
    (first ?? element?.querySelector('h2'))?.focus();
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="sheet"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={titleId} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}
