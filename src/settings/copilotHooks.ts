import {
  type CopilotEventName,
  copilotEventNamed,
  copilotEvents,
  similarCopilotEventName,
} from "../hooks/copilotEvents.ts";
import { compileCompatibleMatcher, compileNativeMatcher } from "../hooks/copilotMatcher.ts";
import type { HookAction, HookDefinition } from "../hooks/hookDefinition.ts";
import { type CopilotEntry, readCopilotEntry } from "./copilotEntry.ts";
import { shortMatcher, timeoutMsOf } from "./hookFileValues.ts";
import { effectiveMembers, type JsonNode, memberValue, snippetOf } from "./jsonTree.ts";
import type { HookFileShape, HooksFileOrigin, JsonPath, ParsedHook } from "./parsedHook.ts";
import type { SettingsDocument } from "./settingsDocument.ts";
import type { SettingsProblem } from "./settingsProblem.ts";

const eventNames = copilotEvents.flatMap(({ camelName, pascalName }) => [
  camelName,
  ...(pascalName ? [pascalName] : []),
]);
const defaultTimeoutSeconds = 30;

/** What an entry shares with the others of its event. */
interface EventContext {
  document: SettingsDocument;
  origin: HooksFileOrigin;
  platform: NodeJS.Platform;
  event: string;
  named: CopilotEventName | undefined;
  bad?: SettingsProblem;
}

/**
 * `{"version": 1, "hooks": {"<event>": [entry, ...]}}` with commands by system, HTTP entries, and Claude's nested groups
 * (reference copilot-hooks.md, "File shape"). What that format would silently ignore is reported.
 */
export function copilotHooks(platform: NodeJS.Platform): HookFileShape {
  return (hooks, document, origin) => {
    if (!hasKnownVersion(document)) return [];
    document.reportRepeatedKeys(hooks);
    const found: ParsedHook[] = [];
    for (const { key: event, offset, value } of effectiveMembers(hooks).values()) {
      const named = copilotEventNamed(event);
      const context: EventContext = { document, origin, platform, event, named };
      if (!named) context.bad = reportUnknownEvent(document, offset, event);
      if (value.kind !== "array") {
        document.report(value.offset, "error", "copilotEventNotAList", { event, found: snippetOf(value) });
        continue;
      }
      for (const [index, entry] of value.items.entries())
        found.push(...readItem(entry, ["hooks", event, index], context));
    }
    return found;
  };
}

/** Another version means another shape: nothing of such a file runs. */
function hasKnownVersion(document: SettingsDocument): boolean {
  const version = document.root && memberValue(document.root, "version");
  if (!version || (version.kind === "scalar" && version.value === 1)) return true;
  document.report(version.offset, "error", "copilotVersionUnknown", { found: snippetOf(version) });
  return false;
}

function reportUnknownEvent(document: SettingsDocument, offset: number, event: string): SettingsProblem {
  const suggestion = similarCopilotEventName(event);
  return suggestion === undefined
    ? document.report(offset, "warning", "eventUnknown", { event, events: eventNames.join(", ") })
    : document.report(offset, "error", "eventMisspelt", { event, suggestion });
}

/** An entry, or a group in Claude's shape: its matcher counts for those of its entries that have none. */
function readItem(item: JsonNode, path: JsonPath, context: EventContext): ParsedHook[] {
  const list = item.kind === "object" ? memberValue(item, "hooks") : undefined;
  if (item.kind !== "object" || !list) return [readHook(item, path, context)];
  context.document.reportRepeatedKeys(item);
  if (list.kind !== "array") {
    context.document.report(list.offset, "error", "groupHooksNotAList", { found: snippetOf(list) });
    return [];
  }
  const matcher = memberValue(item, "matcher");
  return list.items.map((entry, index) => readHook(entry, [...path, "hooks", index], context, matcher));
}

function readHook(
  node: JsonNode,
  jsonPath: JsonPath,
  context: EventContext,
  groupMatcher?: JsonNode,
): ParsedHook {
  const { document, origin, event, named } = context;
  const entry = node.kind === "object" ? readCopilotEntry(node, document, context.platform) : undefined;
  const notAnObject = entry
    ? undefined
    : document.report(node.offset, "error", "hookNotAnObject", { found: snippetOf(node) });
  const matching = readMatcher(entry?.matcher ?? groupMatcher, context);
  const warnings = [
    ...matching.warnings,
    ...(entry?.warnings ?? []),
    ...promptRewriteWarning(entry, node, context),
  ];
  const seconds = entry?.timeoutSeconds ?? defaultTimeoutSeconds;
  const position = document.positionAt(node.offset);
  const hook: ParsedHook = {
    event,
    ...(matching.matcher === undefined ? {} : { matcher: matching.matcher }),
    command: entry?.shown ?? "",
    ...(entry?.description === undefined ? {} : { description: entry.description }),
    timeoutSeconds: seconds,
    timeoutIsDefault: entry?.timeoutSeconds === undefined,
    // notifications never hold up the agent (C13)
    async: false,
    asyncRewake: false,
    jsonPath,
    offset: node.offset,
    length: node.end - node.offset,
    ...position,
    warnings,
  };
  const bad = notAnObject ?? entry?.bad ?? context.bad ?? matching.bad;
  if (bad) return { ...hook, bad };
  if (!entry?.action || !named) return { ...hook, otherSystem: true };
  return { ...hook, definition: define(hook, entry.action, named, { origin, jsonPath, position, seconds }) };
}

function define(
  hook: ParsedHook,
  action: HookAction,
  { row }: CopilotEventName,
  place: {
    origin: HooksFileOrigin;
    jsonPath: JsonPath;
    position: { line: number; column: number };
    seconds: number;
  },
): HookDefinition {
  const { origin, jsonPath, position, seconds } = place;
  return {
    event: row.event,
    writtenEvent: hook.event,
    ...(hook.matcher === undefined ? {} : { matcher: hook.matcher }),
    action,
    ...(hook.description === undefined ? {} : { description: hook.description }),
    timeoutMs: timeoutMsOf(seconds),
    timeoutIsExplicit: !hook.timeoutIsDefault,
    async: false,
    asyncRewake: false,
    provenance: { ...origin, ...(origin.file === undefined ? {} : { jsonPath, ...position }) },
  };
}

function readMatcher(
  node: JsonNode | undefined,
  { document, event, named }: EventContext,
): { matcher?: string; bad?: SettingsProblem; warnings: SettingsProblem[] } {
  if (!node) return { warnings: [] };
  if (node.kind !== "scalar" || typeof node.value !== "string") {
    return {
      bad: document.report(node.offset, "error", "matcherNotText", { found: snippetOf(node) }),
      warnings: [],
    };
  }
  const matcher = node.value;
  if (!named) return { matcher, warnings: [] };
  const shown = shortMatcher(matcher);
  if (!named.row.matchedOn) {
    if (matcher === "") return { matcher, warnings: [] };
    return {
      matcher,
      warnings: [document.report(node.offset, "warning", "matcherIgnored", { event, matcher: shown })],
    };
  }
  const compiled =
    named.format === "PascalCase" && named.row.compatibleMatcher
      ? compileCompatibleMatcher(matcher)
      : compileNativeMatcher(matcher);
  if (compiled.ok) return { matcher, warnings: [] };
  const params = { matcher: shown, detail: compiled.reason };
  return { matcher, bad: document.report(node.offset, "error", "matcherInvalid", params), warnings: [] };
}

/** A configured hook cannot rewrite the prompt (C3); one that plainly tries is told where it can. */
function promptRewriteWarning(
  entry: CopilotEntry | undefined,
  node: JsonNode,
  context: EventContext,
): SettingsProblem[] {
  const isConfigured = context.origin.source !== "code" && context.named?.row.answer === "promptRewrite";
  if (!isConfigured || !entry?.shown.includes("modifiedPrompt")) return [];
  return [context.document.report(node.offset, "warning", "copilotPromptRewrite", {})];
}
