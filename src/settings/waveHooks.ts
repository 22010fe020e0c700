import type { HookDefinition } from "../hooks/hookDefinition.ts";
import type { HookEventName } from "../hooks/hookEvent.ts";
import { hookEvents, isWaveEventName, waveEventNames } from "../hooks/hookEvents.ts";
import { compileMatcher } from "../hooks/hookMatcher.ts";
import { shortMatcher, timeoutMsOf } from "./hookFileValues.ts";
import { type JsonMember, type JsonNode, type JsonObject, snippetOf } from "./jsonTree.ts";
import { nearestName } from "./nearestName.ts";
import type { HookFileShape, HooksFileOrigin, JsonPath, ParsedHook } from "./parsedHook.ts";
import type { SettingsDocument } from "./settingsDocument.ts";
import type { SettingsProblem } from "./settingsProblem.ts";

/** What a hook shares with the others of its event or group. */
interface GroupContext {
  document: SettingsDocument;
  origin: HooksFileOrigin;
  event: string;
  /** Absent where there is no such event. */
  eventName?: HookEventName;
  matcher?: string;
  /** Why nothing of this event or group runs. */
  bad?: SettingsProblem;
  warnings: readonly SettingsProblem[];
}

/** `{"<Event>": [{"matcher"?, "hooks": [{"type": "command", "command", ...}]}]}` (design.md section 3). */
export const waveHooks: HookFileShape = (hooks, document, origin) => {
  const found: ParsedHook[] = [];
  for (const member of document.members(hooks).values()) {
    const context = readEvent(member, document, origin);
    const path = ["hooks", member.key];
    if (member.value.kind !== "array") {
      document.report(member.value.offset, "error", "eventNotAList", {
        event: member.key,
        found: snippetOf(member.value),
      });
      continue;
    }
    for (const [index, group] of member.value.items.entries())
      found.push(...readGroup(group, [...path, index], context));
  }
  return found;
};

function readEvent(member: JsonMember, document: SettingsDocument, origin: HooksFileOrigin): GroupContext {
  const event = member.key;
  const context: GroupContext = { document, origin, event, warnings: [] };
  if (isWaveEventName(event)) return { ...context, eventName: event };
  const suggestion = nearestName(event, waveEventNames);
  const bad = suggestion
    ? document.report(member.offset, "error", "eventMisspelt", { event, suggestion })
    : document.report(member.offset, "warning", "eventUnknown", { event, events: waveEventNames.join(", ") });
  return { ...context, bad };
}

function readGroup(group: JsonNode, path: JsonPath, event: GroupContext): ParsedHook[] {
  const { document } = event;
  if (group.kind !== "object") {
    document.report(group.offset, "error", "groupNotAnObject", { found: snippetOf(group) });
    return [];
  }
  const members = document.members(group);
  const hooks = members.get("hooks")?.value;
  const context = { ...event, ...readMatcher(members.get("matcher")?.value, event) };
  if (!hooks) {
    document.report(group.offset, "error", "groupWithoutHooks");
    return [];
  }
  if (hooks.kind !== "array") {
    document.report(hooks.offset, "error", "groupHooksNotAList", { found: snippetOf(hooks) });
    return [];
  }
  return hooks.items.map((hook, index) => readHook(hook, [...path, "hooks", index], context));
}

function readMatcher(
  node: JsonNode | undefined,
  event: GroupContext,
): Pick<GroupContext, "matcher" | "bad" | "warnings"> {
  if (!node) return { warnings: [] };
  if (node.kind !== "scalar" || typeof node.value !== "string") {
    const bad = event.document.report(node.offset, "error", "matcherNotText", { found: snippetOf(node) });
    return { bad, warnings: [] };
  }
  const matcher = node.value;
  if (!event.eventName) return { matcher, warnings: [] };
  if (!hookEvents[event.eventName].matchedOn) {
    if (["", "*"].includes(matcher.trim())) return { matcher, warnings: [] };
    const params = { event: event.event, matcher: shortMatcher(matcher) };
    return { matcher, warnings: [event.document.report(node.offset, "warning", "matcherIgnored", params)] };
  }
  const compiled = compileMatcher(matcher);
  if (compiled.ok) return { matcher, warnings: [] };
  const params = { matcher: shortMatcher(matcher), detail: compiled.reason };
  return {
    matcher,
    bad: event.document.report(node.offset, "error", "matcherInvalid", params),
    warnings: [],
  };
}

function readHook(node: JsonNode, jsonPath: JsonPath, context: GroupContext): ParsedHook {
  const { document, origin, event, eventName, matcher } = context;
  const fields = node.kind === "object" ? readFields(node, document) : undefined;
  const bad = fields
    ? (fields.bad ?? context.bad)
    : document.report(node.offset, "error", "hookNotAnObject", { found: snippetOf(node) });
  const timeoutMs =
    fields?.timeoutSeconds === undefined
      ? eventName && hookEvents[eventName].wave?.defaultTimeoutMs
      : timeoutMsOf(fields.timeoutSeconds);
  const { line, column } = document.positionAt(node.offset);
  // Assigned one by one: thousands of hooks are read while an event waits, and spreads cost more than the rest.
  const hook: ParsedHook = {
    event,
    command: fields?.command ?? "",
    timeoutIsDefault: fields?.timeoutSeconds === undefined,
    async: fields?.async ?? false,
    asyncRewake: fields?.asyncRewake ?? false,
    jsonPath,
    offset: node.offset,
    length: node.end - node.offset,
    line,
    column,
    warnings: fields?.warnings.length ? [...context.warnings, ...fields.warnings] : context.warnings,
  };
  if (matcher !== undefined) hook.matcher = matcher;
  if (fields?.description !== undefined) hook.description = fields.description;
  if (timeoutMs !== undefined) hook.timeoutSeconds = timeoutMs / 1000;
  if (bad) hook.bad = bad;
  else if (eventName && timeoutMs !== undefined) hook.definition = define(hook, eventName, timeoutMs, origin);
  return hook;
}

function define(
  hook: ParsedHook,
  event: HookEventName,
  timeoutMs: number,
  origin: HooksFileOrigin,
): HookDefinition {
  const { source, dialect, file, pluginName, pluginRoot } = origin;
  const definition: HookDefinition = {
    event,
    writtenEvent: hook.event,
    action: { type: "command", command: hook.command },
    timeoutMs,
    timeoutIsExplicit: !hook.timeoutIsDefault,
    async: hook.async,
    asyncRewake: hook.asyncRewake,
    provenance: { source, dialect },
  };
  const { provenance } = definition;
  if (file !== undefined) {
    provenance.file = file;
    provenance.jsonPath = hook.jsonPath;
    provenance.line = hook.line;
    provenance.column = hook.column;
  }
  if (pluginName !== undefined) provenance.pluginName = pluginName;
  if (pluginRoot !== undefined) provenance.pluginRoot = pluginRoot;
  if (hook.matcher !== undefined) definition.matcher = hook.matcher;
  if (hook.description !== undefined) definition.description = hook.description;
  return definition;
}

interface HookFields {
  command?: string;
  description?: string;
  timeoutSeconds?: number;
  async: boolean;
  asyncRewake: boolean;
  bad?: SettingsProblem;
  warnings: readonly SettingsProblem[];
}

/** Reads the fields of a hook's object; the first thing that keeps it from running is `bad`, all of them are reported. */
function readFields(object: JsonObject, document: SettingsDocument): HookFields {
  const members = document.members(object);
  const faults: SettingsProblem[] = [];
  const warnings: SettingsProblem[] = [];
  const value = (key: string): JsonNode | undefined => members.get(key)?.value;
  const scalar = (node: JsonNode | undefined) => (node?.kind === "scalar" ? node.value : undefined);
  const fault = (node: JsonNode, code: SettingsProblem["code"], params: SettingsProblem["params"] = {}) => {
    faults.push(document.report(node.offset, "error", code, params));
  };

  const type = value("type");
  if (!type) fault(object, "typeMissing");
  else if (scalar(type) !== "command") fault(type, "typeUnknown", { found: snippetOf(type) });

  const command = value("command");
  const commandText = scalar(command);
  if (!command) {
    // A hook of an unknown type has other fields; one complaint is enough.
    if (!type || scalar(type) === "command") fault(object, "commandMissing");
  } else if (typeof commandText !== "string") {
    fault(command, "commandNotText", { found: snippetOf(command) });
  } else if (commandText.trim() === "") fault(command, "commandEmpty");

  const timeout = value("timeout");
  const seconds = scalar(timeout);
  const timeoutIsValid = typeof seconds === "number" && seconds > 0 && Number.isFinite(seconds);
  if (timeout && !timeoutIsValid) fault(timeout, "timeoutInvalid", { found: snippetOf(timeout) });

  const flag = (key: string): boolean => {
    const node = value(key);
    if (node && typeof scalar(node) !== "boolean")
      fault(node, "flagNotBoolean", { key, found: snippetOf(node) });
    return scalar(node) === true;
  };
  const asyncRewake = flag("asyncRewake");
  const runsAsync = flag("async") || asyncRewake;

  const description = value("description");
  const descriptionText = scalar(description);
  if (description && typeof descriptionText !== "string") {
    const params = { found: snippetOf(description) };
    warnings.push(document.report(description.offset, "warning", "descriptionNotText", params));
  }
  const fields: HookFields = { async: runsAsync, asyncRewake, warnings };
  if (typeof commandText === "string") fields.command = commandText;
  if (typeof descriptionText === "string") fields.description = descriptionText;
  if (timeoutIsValid) fields.timeoutSeconds = seconds;
  if (faults[0]) fields.bad = faults[0];
  return fields;
}
