import * as vscode from "vscode";
import { deleteHookFromFile, type FileChange, undoFileChange } from "../../settings/deleteHook.ts";
import type { ListedHook } from "../../settings/listHooks.ts";
import { errorText } from "../errorText.ts";
import { hookName } from "../hookPrompts.ts";
import type { Localizer } from "../localizer.ts";

/** Removes a hook from its file. Returns what a person has to know where that failed; nothing was changed then. */
export async function deleteHook(
  listed: ListedHook | undefined,
  l10n: Localizer,
): Promise<{ ok: true; change: FileChange } | { ok: false; error: string }> {
  if (!listed)
    return {
      ok: false,
      error: l10n.t(
        "This hook is not there any more, or it has changed. Nothing was deleted. Look at the list again.",
      ),
    };
  if (!listed.aim)
    return {
      ok: false,
      error: l10n.t("This hook belongs to a plugin and cannot be changed here. Nothing was deleted."),
    };
  try {
    return { ok: true, change: await deleteHookFromFile(listed.aim) };
  } catch (error) {
    return { ok: false, error: errorText(error, l10n) };
  }
}

/** Says what was deleted and offers to take it back; resolves when the notification is gone. */
export async function offerUndo(listed: ListedHook, change: FileChange, l10n: Localizer): Promise<void> {
  const undo = l10n.t("Undo");
  const name = hookName({ ...listed.hook, event: listed.hook.event });
  const choice = await vscode.window.showInformationMessage(
    l10n.t("Deleted the hook {0} from {1}.", name, listed.location.fileLabel),
    undo,
  );
  if (choice !== undo) return;
  try {
    await undoFileChange(change);
  } catch (error) {
    void vscode.window.showErrorMessage(l10n.t("The hook was not put back. {0}", errorText(error, l10n)));
  }
}
