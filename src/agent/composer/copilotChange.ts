import { getNodeValue, type Node } from "jsonc-parser";
import { copilotEventNamed, copilotEvents } from "../../hooks/copilotEvents.ts";
import { copilotToolName } from "../../hooks/copilotTools.ts";
import { removeHook } from "../../settings/removeHook.ts";
import type { HookAim, HookWish } from "./hookWish.ts";
import { appendMember } from "./jsonInsertion.ts";
import {
  commandFits,
  lineOf,
  nodeAt,
  readRoot,
  type SettingsChange,
  setKey,
  valueAt,
} from "./settingsChange.ts";

/** Whether a file's hooks are written in Copilot's format. */
export function isCopilotFile(file: string): boolean {
  return /[\\/]hooks[\\/][^\\/]+\.json$/.test(file) && !/[\\/]hooks[\\/]hooks\.json$/.test(file);
}

/** The event's name in a Copilot file: as the request writes it where that is one of its names, else Copilot's own. */
export function copilotEventName(request: string, waveEvent: string | undefined): string | undefined {
  const names = copilotEvents.flatMap(({ camelName, pascalName }) => [
    camelName,
    ...(pascalName ? [pascalName] : []),
  ]);
  const written = names
    .map((name) => ({ name, at: request.search(new RegExp(`(?<![\\w-])${name}(?![\\w-])`)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
  return written?.name ?? copilotEvents.find(({ event }) => event === waveEvent)?.camelName;
}

/** In camelCase a matcher names Copilot's tools; in PascalCase it names ours. */
function matcherIn(event: string, matcher: string | null | undefined): string | undefined {
  const named = copilotEventNamed(event);
  if (matcher === null || matcher === undefined || !named?.row.matchedOn) return undefined;
  return named.format === "camelCase" ? matcher.split("|").map(copilotToolName).join("|") : matcher;
}

function entryOf(event: string, wish: HookWish): Record<string, unknown> {
  const matcher = matcherIn(event, wish.matcher);
  return {
    type: "command",
    command: wish.command ?? "",
    ...(wish.description !== undefined && { description: wish.description }),
    ...(matcher !== undefined && { matcher }),
    ...(typeof wish.timeoutSeconds === "number" && { timeoutSec: wish.timeoutSeconds }),
  };
}

/** Adds an entry to a Copilot hook file; every other byte stays. An empty text becomes a whole file. */
export function addCopilotHook(text: string, event: string, wish: HookWish): SettingsChange {
  return addEntry(text, event, entryOf(event, wish));
}

function addEntry(text: string, event: string, hook: object): SettingsChange {
  const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
  const done = (changed: string): SettingsChange => ({ ok: true, text: changed, event, hook });
  if (text.trim() === "") return done(`${json({ version: 1, hooks: { [event]: [hook] } })}\n`);
  const root = readRoot(text);
  if ("code" in root) return { ok: false, problem: root };
  const hooks = nodeAt(root, ["hooks"]);
  if (!hooks) return done(appendMember(text, root, `"hooks": ${json({ [event]: [hook] })}`));
  if (hooks.type !== "object")
    return { ok: false, problem: { code: "wrongShape", path: "hooks", expected: "object" } };
  const list = nodeAt(root, ["hooks", event]);
  if (!list) return done(appendMember(text, hooks, `${JSON.stringify(event)}: ${json([hook])}`));
  if (list.type !== "array")
    return { ok: false, problem: { code: "wrongShape", path: `hooks.${event}`, expected: "array" } };
  const same = list.children?.find((entry) => JSON.stringify(getNodeValue(entry)) === JSON.stringify(hook));
  if (same) return { ok: false, problem: { code: "alreadyThere", line: lineOf(text, same.offset) } };
  return done(appendMember(text, list, json(hook)));
}

interface EntryPlace {
  event: string;
  index: number;
  entry: Node;
}

/** Changes the one entry that the aim fits; an entry of another event moves. Entries in Claude's groups are left alone. */
export function editCopilotHook(text: string, aim: HookAim, wish: HookWish): SettingsChange {
  const root = readRoot(text);
  if ("code" in root) return { ok: false, problem: root };
  const fits = placesIn(root).filter(({ event, entry }) => {
    if (aim.event !== undefined && event !== aim.event) return false;
    const { command, bash, powershell } = getNodeValue(entry) as Record<string, unknown>;
    const written = [command, bash, powershell].filter((each) => typeof each === "string");
    return aim.command === undefined || written.some((each) => commandFits(each, aim.command ?? ""));
  });
  const atLine = fits.filter(({ entry }) => lineOf(text, entry.offset) === aim.line);
  const candidates = atLine.length > 0 ? atLine : fits;
  const found = candidates[0];
  if (!found) return { ok: false, problem: { code: "notFound" } };
  if (candidates.length > 1) return { ok: false, problem: { code: "ambiguous", count: candidates.length } };

  const path = ["hooks", found.event, found.index];
  const event = wish.event === undefined ? found.event : inFormatOf(found.event, wish.event);
  let changed = text;
  for (const [key, value] of Object.entries(keyChanges(found, event, wish)))
    changed = setKey(changed, path, key, value);
  const hook = valueAt(changed, path) as object;
  if (event !== found.event) {
    const removed = removeHook(changed, path);
    if (!removed.ok) return { ok: false, problem: { code: "notFound" } };
    return addEntry(removed.text, event, hook);
  }
  return changed === text
    ? { ok: false, problem: { code: "unchanged" } }
    : { ok: true, text: changed, event, hook };
}

/** The event in the spelling of its neighbour: that decides what its hooks are told. */
function inFormatOf(neighbour: string, event: string): string {
  const row = copilotEventNamed(event)?.row ?? copilotEvents.find((each) => each.event === event);
  if (!row) return event;
  return copilotEventNamed(neighbour)?.format === "PascalCase"
    ? (row.pascalName ?? row.camelName)
    : row.camelName;
}

function keyChanges({ entry }: EntryPlace, event: string, wish: HookWish): Record<string, unknown> {
  const before = getNodeValue(entry) as Record<string, unknown>;
  const changes: Record<string, unknown> = {};
  if (wish.command !== undefined) {
    const key =
      ["bash", "command", "powershell"].find((each) => typeof before[each] === "string") ?? "command";
    changes[key] = wish.command;
  }
  if (wish.timeoutSeconds !== undefined) {
    changes[before.timeoutSec === undefined && before.timeout !== undefined ? "timeout" : "timeoutSec"] =
      wish.timeoutSeconds ?? undefined;
  }
  if (wish.matcher !== undefined) changes.matcher = matcherIn(event, wish.matcher);
  if (wish.description !== undefined) changes.description = wish.description;
  return Object.fromEntries(Object.entries(changes).filter(([key, value]) => before[key] !== value));
}

function placesIn(root: Node): EntryPlace[] {
  return (nodeAt(root, ["hooks"])?.children ?? []).flatMap((member) => {
    const event = member.children?.[0]?.value as unknown;
    const list = member.children?.[1];
    if (typeof event !== "string" || list?.type !== "array") return [];
    return (list.children ?? []).flatMap((entry, index) =>
      entry.type === "object" && !nodeAt(entry, ["hooks"]) ? [{ event, index, entry }] : [],
    );
  });
}
