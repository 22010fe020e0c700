import {
  type JsonArray,
  type JsonNode,
  type JsonObject,
  memberValue,
  parseJsonTree,
  sameJsonValue,
} from "./jsonTree.ts";
import type { JsonPath } from "./parsedHook.ts";
import { cutRanges, rangesOfEntry } from "./rangesOfEntry.ts";

export type HookRemoval =
  | { ok: true; text: string }
  | {
      ok: false;
      /** `notJson`: the text cannot be read. `notFound`: nothing stands at that place. `unsafe`: something else would change. */
      reason: "notJson" | "notFound" | "unsafe";
    };

/** A value and the chain of containers that leads to it, outermost first. */
interface Found {
  node: JsonNode;
  within: { container: JsonArray | JsonObject; step: string | number }[];
}

/** Keys of a group that mean nothing without its hooks; a group with other keys keeps them, and an empty list. */
const groupKeys = new Set(["hooks", "matcher"]);

/**
 * Takes one hook out of a settings file's text, of whatever dialect, and with it what it leaves empty: its group and its event.
 * Nothing else changes: the result is the text less some pieces, and it holds the old values less that hook, or there is none.
 */
export function removeHook(text: string, jsonPath: JsonPath): HookRemoval {
  const before = parseJsonTree(text);
  if (!before.ok) return { ok: false, reason: "notJson" };
  const hook = find(before.root, jsonPath);
  if (!hook) return { ok: false, reason: "notFound" };
  const removed = withWhatIsLeftEmpty(hook);
  const { container, step } = removed.within.at(-1) ?? {};
  if (!container || step === undefined) return { ok: false, reason: "notFound" };
  const changed = cutRanges(text, rangesOfEntry(text, container, entryIndex(container, step)));
  const after = parseJsonTree(changed);
  const isExact = after.ok && sameJsonValue(before.root, after.root, new Set([removed.node]));
  return isExact ? { ok: true, text: changed } : { ok: false, reason: "unsafe" };
}

function find(root: JsonNode, path: JsonPath): Found | undefined {
  const found: Found = { node: root, within: [] };
  for (const step of path) {
    const container = found.node;
    if (container.kind === "scalar") return undefined;
    const isIndex = typeof step === "number";
    if (isIndex !== (container.kind === "array")) return undefined;
    const next =
      container.kind === "array" ? container.items[step as number] : memberValue(container, String(step));
    if (!next) return undefined;
    found.within.push({ container, step });
    found.node = next;
  }
  // A hook stands in a list under "hooks"; nothing else is ever taken out.
  const isHook = path[0] === "hooks" && typeof path.at(-1) === "number";
  return isHook ? found : undefined;
}

function withWhatIsLeftEmpty(hook: Found): Found {
  let removed = hook;
  for (;;) {
    const list = removed.within.at(-1)?.container;
    const owner = removed.within.at(-2);
    if (list?.kind !== "array" || list.items.length > 1 || owner?.container.kind !== "object") return removed;
    const { container: object, step: key } = owner;
    const isEvent = removed.within.length === 3;
    if (isEvent) {
      // Without the last one of two equal keys, the first one would come into force.
      const isRepeated = object.members.filter((member) => member.key === key).length > 1;
      return isRepeated ? removed : { node: list, within: removed.within.slice(0, -1) };
    }
    if (!object.members.every((member) => groupKeys.has(member.key))) return removed;
    removed = { node: object, within: removed.within.slice(0, -2) };
  }
}

function entryIndex(container: JsonArray | JsonObject, step: string | number): number {
  if (container.kind === "array") return Number(step);
  return container.members.findLastIndex((member) => member.key === step);
}
