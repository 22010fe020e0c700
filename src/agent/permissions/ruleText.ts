import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, type ParseError, parse, parseTree } from "jsonc-parser";
import { appendMember } from "../composer/jsonInsertion.ts";

/** The text of a settings file does not allow a rule to be added. Nothing was changed. */
export class RuleTextError extends Error {
  override readonly name = "RuleTextError";
}

/**
 * The text of a settings file with one more entry in `permissions.allow`; comments, layout and every other byte stay.
 * An empty text becomes a whole file; a rule that is there already changes nothing. Throws RuleTextError.
 */
export function textWithAllowRule(text: string, rule: string): string {
  if (text.trim() === "") return `${JSON.stringify({ permissions: { allow: [rule] } }, undefined, 2)}\n`;
  const before = parsed(text);
  const changed = withRule(text, rule);
  if (!isDeepStrictEqual(parsed(changed), expected(before, rule)))
    throw new RuleTextError("the rule could not be added without changing something else");
  return changed;
}

function withRule(text: string, rule: string): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (root?.type !== "object") throw new RuleTextError("it holds no object");
  const list = JSON.stringify([rule], undefined, 2);
  const permissions = findNodeAtLocation(root, ["permissions"]);
  if (!permissions)
    return appendMember(text, root, `"permissions": ${JSON.stringify({ allow: [rule] }, undefined, 2)}`);
  if (permissions.type !== "object") throw new RuleTextError('"permissions" is no object');
  const allow = findNodeAtLocation(root, ["permissions", "allow"]);
  if (!allow) return appendMember(text, permissions, `"allow": ${list}`);
  if (allow.type !== "array") throw new RuleTextError('"permissions.allow" is no list');
  const isThere = allow.children?.some((entry) => entry.value === rule);
  return isThere ? text : appendMember(text, allow, JSON.stringify(rule));
}

interface Rules {
  permissions?: { allow?: unknown[] };
}

function expected(before: Rules, rule: string): Rules {
  const allow = before.permissions?.allow ?? [];
  if (allow.includes(rule)) return before;
  return { ...before, permissions: { ...before.permissions, allow: [...allow, rule] } };
}

function parsed(text: string): Rules {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true }) as unknown;
  if (errors.length > 0) throw new RuleTextError("it is not valid JSON");
  return value as Rules;
}
