import type { MatcherCompilation } from "./hookMatcher.ts";

/** The native rule: a regular expression that must match the whole value (C22). Absent matches everything. */
export function compileNativeMatcher(pattern: string | undefined): MatcherCompilation {
  if (pattern === undefined) return { ok: true, matcher: { takes: () => true } };
  try {
    const expression = new RegExp(`^(?:${pattern})$`);
    return { ok: true, matcher: { takes: (subject) => expression.test(subject) } };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}

const listOfNames = /^[\w-]+(?:\s*\|\s*[\w-]+)*$/;

/**
 * The compatible rule of PreToolUse and PermissionRequest (C24): `*`, `**` and nothing match everything, a name or a
 * list of names matches by any of the tool's names, anything else is a regular expression for the whole first name.
 */
export function compileCompatibleMatcher(
  pattern: string | undefined,
): { ok: true; takes(names: readonly string[]): boolean } | { ok: false; reason: string } {
  const text = pattern?.trim() ?? "";
  if (text === "" || text === "*" || text === "**") return { ok: true, takes: () => true };
  if (listOfNames.test(text)) {
    const wanted = new Set(text.split("|").map((name) => name.trim()));
    return { ok: true, takes: (names) => names.some((name) => wanted.has(name)) };
  }
  const native = compileNativeMatcher(text);
  return native.ok ? { ok: true, takes: (names) => native.matcher.takes(names[0] ?? "") } : native;
}
