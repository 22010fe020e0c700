import { getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { memberValue, parseJsonTree } from "../../settings/jsonTree.ts";
import type { JsonPath } from "../../settings/parsedHook.ts";
import { cutRanges, rangesOfEntry } from "../../settings/rangesOfEntry.ts";
import { removeHook } from "../../settings/removeHook.ts";
import type { HookAim, HookWish } from "./hookWish.ts";
import { appendMember } from "./jsonInsertion.ts";

export type ChangeProblem =
  | { code: "notJson"; line: number; column: number }
  | { code: "wrongShape"; path: string; expected: "object" | "array" }
  | { code: "alreadyThere"; line: number }
  | { code: "notFound" }
  | { code: "ambiguous"; count: number }
  | { code: "unchanged" }
  /** The file or one of its lines is longer than the Read tool shows. */
  | { code: "notShownWhole" };

export type SettingsChange =
  | { ok: true; text: string; event: string; matcher?: string; hook: object }
  | { ok: false; problem: ChangeProblem };

interface HookPlace {
  event: string;
  groupIndex: number;
  hookIndex: number;
  matcher: string | undefined;
  hook: Node;
  hooksInGroup: number;
}

/** The hook's object as it is written, its keys in the order of the documentation. */
export function hookObject(wish: HookWish): Record<string, unknown> {
  return {
    type: "command",
    command: wish.command ?? "",
    ...(wish.description !== undefined && { description: wish.description }),
    ...(typeof wish.timeoutSeconds === "number" && { timeout: wish.timeoutSeconds }),
    ...(wish.async && { async: true }),
    ...(wish.asyncRewake && { asyncRewake: true }),
  };
}

/** Adds a hook to the text of a settings file; comments, layout and every other byte stay. An empty text becomes a whole file. */
export function addHook(
  text: string,
  event: string,
  matcher: string | undefined,
  hook: object,
): SettingsChange {
  const done = (changed: string): SettingsChange => ({
    ok: true,
    text: changed,
    event,
    ...(matcher !== undefined && { matcher }),
    hook,
  });
  const group = matcher === undefined ? { hooks: [hook] } : { matcher, hooks: [hook] };
  const json = (value: unknown): string => JSON.stringify(value, undefined, 2);
  if (text.trim() === "") return done(`${json({ hooks: { [event]: [group] } })}\n`);

  const root = readRoot(text);
  if ("code" in root) return { ok: false, problem: root };
  const existing = placesIn(root).find((place) => isSame(place, event, matcher, hook));
  if (existing)
    return { ok: false, problem: { code: "alreadyThere", line: lineOf(text, existing.hook.offset) } };

  const hooks = nodeAt(root, ["hooks"]);
  if (!hooks) return done(appendMember(text, root, `"hooks": ${json({ [event]: [group] })}`));
  if (hooks.type !== "object") return wrongShape("hooks", "object");
  const groups = nodeAt(root, ["hooks", event]);
  if (!groups) return done(appendMember(text, hooks, `${JSON.stringify(event)}: ${json([group])}`));
  if (groups.type !== "array") return wrongShape(`hooks.${event}`, "array");
  const sameGroup = groups.children?.find((node) => isGroupOf(node, matcher));
  const list = sameGroup && nodeAt(sameGroup, ["hooks"]);
  return done(list ? appendMember(text, list, json(hook)) : appendMember(text, groups, json(group)));
}

/** Changes the one hook that the aim fits; moves it where its event or matcher changes. */
export function editHook(text: string, aim: HookAim, wish: HookWish): SettingsChange {
  const root = readRoot(text);
  if ("code" in root) return { ok: false, problem: root };
  const found = findPlace(text, root, aim);
  if ("code" in found) return { ok: false, problem: found };

  const path = ["hooks", found.event, found.groupIndex, "hooks", found.hookIndex];
  const before = getNodeValue(found.hook) as Record<string, unknown>;
  const event = wish.event ?? found.event;
  const matcher = wish.matcher === undefined ? found.matcher : (wish.matcher ?? undefined);
  let changed = text;
  for (const [key, value] of Object.entries(keyChanges(wish, before)))
    changed = setKey(changed, path, key, value);

  const hookNow = valueAt(changed, path) as Record<string, unknown>;
  const moves = event !== found.event || (matcher ?? "") !== (found.matcher ?? "");
  if (moves && event === found.event && found.hooksInGroup === 1) {
    changed = setKey(changed, path.slice(0, 3), "matcher", matcher);
  } else if (moves) {
    const removed = removeHook(changed, path);
    if (!removed.ok) return { ok: false, problem: { code: "notFound" } };
    const added = addHook(removed.text, event, matcher, hookNow);
    if (!added.ok) return added;
    changed = added.text;
  }
  if (changed === text) return { ok: false, problem: { code: "unchanged" } };
  return { ok: true, text: changed, event, ...(matcher !== undefined && { matcher }), hook: hookNow };
}

function keyChanges(wish: HookWish, before: Record<string, unknown>): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  if (wish.command !== undefined) changes.command = wish.command;
  if (wish.description !== undefined) changes.description = wish.description;
  if (wish.timeoutSeconds !== undefined) changes.timeout = wish.timeoutSeconds ?? undefined;
  if (wish.async !== undefined) changes.async = wish.async || undefined;
  if (wish.asyncRewake !== undefined) changes.asyncRewake = wish.asyncRewake || undefined;
  // asyncRewake implies async (H10.4): a hook that is to wait must lose both
  if (wish.async === false && before.asyncRewake) changes.asyncRewake = undefined;
  return Object.fromEntries(Object.entries(changes).filter(([key, value]) => before[key] !== value));
}

export function setKey(
  text: string,
  path: readonly (string | number)[],
  key: string,
  value: unknown,
): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && nodeAt(root, [...path]);
  if (!node) return text;
  if (value === undefined) return removeKey(text, path, key);
  const old = nodeAt(node, [key]);
  if (!old) return appendMember(text, node, `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return text.slice(0, old.offset) + JSON.stringify(value) + text.slice(old.offset + old.length);
}

/** Takes a key and its value out of an object; comments of its neighbours stay. */
function removeKey(text: string, path: JsonPath, key: string): string {
  const tree = parseJsonTree(text);
  let node = tree.ok ? tree.root : undefined;
  for (const step of path) {
    if (node?.kind === "array") node = node.items[Number(step)];
    else if (node?.kind === "object") node = memberValue(node, String(step));
  }
  if (node?.kind !== "object") return text;
  const index = node.members.findLastIndex((member) => member.key === key);
  return index < 0 ? text : cutRanges(text, rangesOfEntry(text, node, index));
}

/** Of a key that stands twice the last counts, as for whoever reads the file. */
export function nodeAt(root: Node, path: JsonPath): Node | undefined {
  let node: Node | undefined = root;
  for (const step of path) {
    if (node?.type === "array") node = node.children?.[Number(step)];
    else if (node?.type === "object")
      node = node.children?.findLast((member) => member.children?.[0]?.value === step)?.children?.[1];
    else return undefined;
  }
  return node;
}

export function valueAt(text: string, path: readonly (string | number)[]): unknown {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const node = root && nodeAt(root, [...path]);
  return node && getNodeValue(node);
}

export function readRoot(text: string): Node | ChangeProblem {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const error = errors[0];
  if (error || !root) {
    const before = text.slice(0, error?.offset ?? 0).split("\n");
    return { code: "notJson", line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
  return root.type === "object" ? root : { code: "wrongShape", path: "(file)", expected: "object" };
}

function placesIn(root: Node): HookPlace[] {
  const places: HookPlace[] = [];
  for (const event of nodeAt(root, ["hooks"])?.children ?? []) {
    const name = event.children?.[0]?.value as unknown;
    const groups = event.children?.[1];
    if (typeof name !== "string" || groups?.type !== "array") continue;
    for (const [groupIndex, group] of (groups.children ?? []).entries()) {
      const list = group.type === "object" ? nodeAt(group, ["hooks"]) : undefined;
      const matcher = group.type === "object" ? nodeAt(group, ["matcher"])?.value : undefined;
      if (list?.type !== "array") continue;
      for (const [hookIndex, hook] of (list.children ?? []).entries()) {
        if (hook.type !== "object") continue;
        places.push({
          event: name,
          groupIndex,
          hookIndex,
          matcher: typeof matcher === "string" ? matcher : undefined,
          hook,
          hooksInGroup: list.children?.length ?? 0,
        });
      }
    }
  }
  return places;
}

function findPlace(text: string, root: Node, aim: HookAim): HookPlace | ChangeProblem {
  const fits = placesIn(root).filter((place) => {
    const command = nodeAt(place.hook, ["command"])?.value;
    if (aim.event !== undefined && place.event.toLowerCase() !== aim.event.toLowerCase()) return false;
    if (aim.matcher !== undefined && flat(place.matcher ?? "") !== flat(aim.matcher)) return false;
    return aim.command === undefined || (typeof command === "string" && commandFits(command, aim.command));
  });
  const atLine = fits.filter(
    (place) => aim.line !== undefined && lineOf(text, place.hook.offset) === aim.line,
  );
  const candidates = atLine.length > 0 ? atLine : fits;
  const only = candidates[0];
  if (!only) return { code: "notFound" };
  return candidates.length === 1 ? only : { code: "ambiguous", count: candidates.length };
}

/** The prompt shows a command on one line, and a long one cut with an ellipsis. */
export function commandFits(command: string, shown: string): boolean {
  return shown.endsWith("…")
    ? flat(command).startsWith(flat(shown.slice(0, -1)))
    : flat(command) === flat(shown);
}

function flat(text: string): string {
  return text.replace(/[\p{Cc}\s]+/gu, " ").trim();
}

function isGroupOf(node: Node, matcher: string | undefined): boolean {
  if (node.type !== "object" || nodeAt(node, ["hooks"])?.type !== "array") return false;
  const own = nodeAt(node, ["matcher"])?.value as unknown;
  return (own ?? "") === (matcher ?? "") || (own === "*" && matcher === undefined);
}

function isSame(place: HookPlace, event: string, matcher: string | undefined, hook: object): boolean {
  return (
    place.event === event &&
    (place.matcher ?? "") === (matcher ?? "") &&
    JSON.stringify(getNodeValue(place.hook)) === JSON.stringify(hook)
  );
}

export function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function wrongShape(path: string, expected: "object" | "array"): SettingsChange {
  return { ok: false, problem: { code: "wrongShape", path, expected } };
}
