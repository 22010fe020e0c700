import type { HookAction } from "../hooks/hookDefinition.ts";
import { effectiveMembers, type JsonNode, type JsonObject, snippetOf } from "./jsonTree.ts";
import type { SettingsDocument } from "./settingsDocument.ts";
import type { SettingsProblem } from "./settingsProblem.ts";

/** One entry of a Copilot hook file, as far as it could be read. */
export interface CopilotEntry {
  /** What runs on this system; absent where the entry has nothing for it. */
  action?: HookAction;
  /** The command or address to show, also of an entry that does not run here. */
  shown: string;
  description?: string;
  timeoutSeconds?: number;
  matcher?: JsonNode;
  bad?: SettingsProblem;
  warnings: readonly SettingsProblem[];
}

/** Reads an entry's fields; the first thing that keeps it from running is `bad`, all of them are reported. */
export function readCopilotEntry(
  object: JsonObject,
  document: SettingsDocument,
  platform: NodeJS.Platform,
): CopilotEntry {
  document.reportRepeatedKeys(object);
  const reader = new EntryReader(object, document);
  const type = reader.text("type") ?? (reader.has("type") ? "" : "command");
  const matcher = reader.node("matcher");
  const common = {
    ...reader.optional("description", reader.text("description") ?? reader.text("comment")),
    ...reader.optional("timeoutSeconds", reader.seconds("timeoutSec") ?? reader.seconds("timeout")),
    ...(matcher ? { matcher } : {}),
  };
  if (type === "http") {
    const { action, shown } = readHttp(reader);
    return { ...common, ...reader.optional("action", action), shown, ...reader.result() };
  }
  if (type !== "command")
    reader.fault(reader.node("type") ?? object, "typeUnknown", {
      found: snippetOf(reader.node("type") ?? object),
    });
  for (const key of ["exec", "args"]) {
    const node = reader.node(key);
    if (node) reader.fault(node, "copilotFieldNotSupported", { key });
  }
  const { action, shown } = readCommand(reader, platform);
  if (shown === "" && type === "command" && !reader.has("exec"))
    reader.fault(object, "copilotCommandMissing");
  return { ...common, ...reader.optional("action", action), shown, ...reader.result() };
}

function readCommand(reader: EntryReader, platform: NodeJS.Platform): { action?: HookAction; shown: string } {
  const [bash, powershell, any] = ["bash", "powershell", "command"].map(
    (key) => reader.text(key)?.trim() || undefined,
  );
  const command = (platform === "win32" ? powershell : bash) ?? any;
  const shown = command ?? bash ?? powershell ?? "";
  const cwd = reader.text("cwd");
  const env = reader.texts("env");
  if (command === undefined) return { shown };
  return { shown, action: { type: "command", command, ...(cwd ? { cwd } : {}), ...(env ? { env } : {}) } };
}

function readHttp(reader: EntryReader): { action?: HookAction; shown: string } {
  const url = reader.text("url")?.trim() ?? "";
  const headers = reader.texts("headers");
  const allowedEnvVars = reader.list("allowedEnvVars");
  const node = reader.node("url") ?? reader.object;
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol !== "https:" && protocol !== "http:")
    reader.fault(node, "copilotUrlInvalid", { found: snippetOf(node) });
  else if (protocol === "http:" && allowedEnvVars) reader.fault(node, "copilotUrlNeedsHttps");
  return {
    shown: url,
    action: {
      type: "http",
      url,
      ...(headers ? { headers } : {}),
      ...(allowedEnvVars ? { allowedEnvVars } : {}),
    },
  };
}

class EntryReader {
  readonly object: JsonObject;
  private readonly members: ReturnType<typeof effectiveMembers>;
  private readonly faults: SettingsProblem[] = [];
  private readonly warnings: SettingsProblem[] = [];
  private readonly document: SettingsDocument;

  constructor(object: JsonObject, document: SettingsDocument) {
    this.object = object;
    this.document = document;
    this.members = effectiveMembers(object);
  }

  has(key: string): boolean {
    return this.members.has(key);
  }

  node(key: string): JsonNode | undefined {
    return this.members.get(key)?.value;
  }

  fault(node: JsonNode, code: SettingsProblem["code"], params: SettingsProblem["params"] = {}): void {
    this.faults.push(this.document.report(node.offset, "error", code, params));
  }

  text(key: string): string | undefined {
    const node = this.node(key);
    if (!node) return undefined;
    if (node.kind === "scalar" && typeof node.value === "string") return node.value;
    this.fault(node, "copilotFieldNotText", { key, found: snippetOf(node) });
    return undefined;
  }

  /** An invalid one is never replaced by the default: the entry is skipped (design.md section 9). */
  seconds(key: string): number | undefined {
    const node = this.node(key);
    if (!node) return undefined;
    if (
      node.kind === "scalar" &&
      typeof node.value === "number" &&
      node.value > 0 &&
      Number.isFinite(node.value)
    )
      return node.value;
    this.fault(node, "timeoutInvalid", { found: snippetOf(node) });
    return undefined;
  }

  /** An object whose values are texts; other values are left out and reported. */
  texts(key: string): Record<string, string> | undefined {
    const node = this.node(key);
    if (!node) return undefined;
    if (node.kind !== "object") {
      this.warn(node, "settingNotObject", { key, found: snippetOf(node) });
      return undefined;
    }
    const texts: [string, string][] = [];
    for (const { key: name, value } of effectiveMembers(node).values()) {
      if (value.kind === "scalar" && typeof value.value === "string") texts.push([name, value.value]);
      else this.warn(value, "copilotValueNotText", { key: `${key}.${name}`, found: snippetOf(value) });
    }
    return Object.fromEntries(texts);
  }

  list(key: string): string[] | undefined {
    const node = this.node(key);
    if (!node) return undefined;
    if (node.kind !== "array") {
      this.warn(node, "settingNotList", { key, found: snippetOf(node) });
      return undefined;
    }
    return node.items.flatMap((item) =>
      item.kind === "scalar" && typeof item.value === "string" ? [item.value] : [],
    );
  }

  optional<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
    return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: Value });
  }

  result(): { bad?: SettingsProblem; warnings: readonly SettingsProblem[] } {
    const bad = this.faults[0];
    return { ...(bad ? { bad } : {}), warnings: this.warnings };
  }

  private warn(node: JsonNode, code: SettingsProblem["code"], params: SettingsProblem["params"]): void {
    this.warnings.push(this.document.report(node.offset, "warning", code, params));
  }
}
