import { useEffect, useRef } from "react";
import type { HookView } from "../../src/protocol/hookView.ts";
import { cutAt } from "../shared/CutText.tsx";
import { visibleText } from "../shared/visibleText.ts";
import { Button, type FocusHandle } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { hookName } from "./rows.ts";
import { texts } from "./texts.ts";

interface DeleteDialogProps {
  hook: HookView;
  /** The host has been asked and has not answered yet: no way back. */
  busy: boolean;
  onCancel: () => void;
  onConfirm: () => void;
}

/** Names the hook and the absolute path of its file. The focus is on Cancel: a stray Enter deletes nothing. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { hook } = props;
  const cancel = useRef<FocusHandle>(null);
  useEffect(() => cancel.current?.focus(), []);
  const command = cutAt(hook.command, 300, 6);
  return (
    <Dialog
      title={texts.deleteTitle}
      onClose={props.onCancel}
      buttons={
        <>
          <Button ref={cancel} secondary disabled={props.busy} onClick={props.onCancel}>
            {texts.cancel}
          </Button>
          <Button disabled={props.busy} onClick={props.onConfirm}>
            {props.busy ? texts.deleting : texts.confirmDelete}
          </Button>
        </>
      }
    >
      <p className="dialog-hook">
        <strong className="data">{visibleText(hookName(hook))}</strong>
        <span className="monospace data">
          {visibleText(command)}
          {command.length < hook.command.length ? "…" : ""}
        </span>
      </p>
      <p>{texts.deleteText}</p>
      <p className="monospace data">{visibleText(hook.file)}</p>
    </Dialog>
  );
}
