import { type PermissionMode, permissionModes } from "../../hooks/hookEvent.ts";
import type { ChatStateView } from "../../protocol/chatView.ts";
import type { Localizer } from "../localizer.ts";

/** The choices of the permission-mode picker. */
export function permissionModeViews(l10n: Localizer): ChatStateView["permissionModes"] {
  const texts: Record<PermissionMode, { label: string; detail: string }> = {
    default: {
      label: l10n.t("Ask"),
      detail: l10n.t("Asks before it changes a file or runs a command."),
    },
    acceptEdits: {
      label: l10n.t("Accept edits"),
      detail: l10n.t("Changes files of the project without asking; asks before it runs a command."),
    },
    plan: {
      label: l10n.t("Plan"),
      detail: l10n.t("Reads and plans; changes nothing."),
    },
    dontAsk: {
      label: l10n.t("Don't ask"),
      detail: l10n.t("Does what is allowed by a rule; refuses everything else without asking."),
    },
    bypassPermissions: {
      label: l10n.t("Bypass permissions"),
      detail: l10n.t("Does everything without asking. Only for places where nothing can be harmed."),
    },
  };
  return permissionModes.map((id) => ({ id, ...texts[id] }));
}
