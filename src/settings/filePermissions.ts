import { type PermissionMode, permissionModes } from "../hooks/hookEvent.ts";
import type { HookFileLocation } from "./hookFileLocations.ts";
import { type JsonNode, memberValue, snippetOf } from "./jsonTree.ts";
import type { SettingsDocument } from "./settingsDocument.ts";

const behaviors = ["allow", "ask", "deny"] as const;
export type PermissionBehavior = (typeof behaviors)[number];

/** The permissions of one file, as far as they are well-formed; the rest is reported to the document. */
export interface FilePermissions {
  rules: readonly { rule: string; behavior: PermissionBehavior; line: number }[];
  defaultMode?: PermissionMode;
}

/** Plugins and files of the other dialect hold hooks alone. */
export function holdsPermissions({ source, dialect }: HookFileLocation): boolean {
  return dialect === "wave" && source !== "plugin";
}

export function readPermissions(document: SettingsDocument): FilePermissions {
  const permissions = document.root && memberValue(document.root, "permissions");
  if (!permissions) return { rules: [] };
  if (permissions.kind !== "object") {
    const params = { key: "permissions", found: snippetOf(permissions) };
    document.report(permissions.offset, "error", "settingNotObject", params);
    return { rules: [] };
  }
  const members = document.members(permissions);
  const rules = behaviors.flatMap((behavior) => readRules(members.get(behavior)?.value, behavior, document));
  const defaultMode = readMode(members.get("defaultMode")?.value, document);
  return { rules, ...(defaultMode ? { defaultMode } : {}) };
}

function readRules(
  list: JsonNode | undefined,
  behavior: PermissionBehavior,
  document: SettingsDocument,
): FilePermissions["rules"] {
  if (!list) return [];
  if (list.kind !== "array") {
    const params = { key: `permissions.${behavior}`, found: snippetOf(list) };
    document.report(list.offset, "error", "settingNotList", params);
    return [];
  }
  return list.items.flatMap((item) => {
    if (item.kind === "scalar" && typeof item.value === "string" && item.value.trim() !== "")
      return [{ rule: item.value, behavior, line: document.positionAt(item.offset).line }];
    document.report(item.offset, "error", "ruleNotText", { key: behavior, found: snippetOf(item) });
    return [];
  });
}

function readMode(node: JsonNode | undefined, document: SettingsDocument): PermissionMode | undefined {
  if (!node) return undefined;
  const mode = permissionModes.find((name) => node.kind === "scalar" && node.value === name);
  if (!mode) {
    const params = { found: snippetOf(node), modes: permissionModes.join(", ") };
    document.report(node.offset, "error", "modeUnknown", params);
  }
  return mode;
}
