import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

interface DialogProps {
  title: string;
  children: ReactNode;
  buttons: ReactNode;
  /** Esc, or the platform's way to close. The parent then stops rendering the dialog. */
  onClose: () => void;
}

/**
 * A modal question on the browser's own dialog, which keeps the focus inside (the toolkit has none). The parent puts the focus
 * back where it belongs: the opener may be gone by then.
 */
export function Dialog(props: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-content`}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <h2 id={`${id}-title`}>{props.title}</h2>
      <div id={`${id}-content`}>{props.children}</div>
      <div className="dialog-buttons">{props.buttons}</div>
    </dialog>
  );
}
