import { effectiveMembers, type JsonNode } from "./jsonTree.ts";

/** Deeper than any settings file that a person writes, and shallow enough for the stack. */
const maxDepth = 500;

/** The value as JSON.parse would give it. Throws where it is nested too deeply. */
export function jsonValue(node: JsonNode, depth = 0): unknown {
  if (depth > maxDepth) throw new Error(`It is nested more than ${maxDepth} levels deep.`);
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map((item) => jsonValue(item, depth + 1));
  // fromEntries makes own properties of all keys, "__proto__" among them.
  return Object.fromEntries(
    [...effectiveMembers(node)].map(([key, member]) => [key, jsonValue(member.value, depth + 1)]),
  );
}
