/** A compiled matcher. `takes` never throws. */
export interface HookMatcher {
  takes(subject: string): boolean;
}

export type MatcherCompilation = { ok: true; matcher: HookMatcher } | { ok: false; reason: string };

const everything: HookMatcher = { takes: () => true };
const listOfNames = /^[A-Za-z0-9_\-|, \t]*$/;

/**
 * Compiles a matcher of the Wave dialect (design.md section 3, the rules of Claude Code):
 * absent, empty or `*` takes everything; letters, digits, `_`, `-`, `|`, `,` and blanks make a list of exact names;
 * anything else is a JavaScript regular expression, unanchored. Case-sensitive throughout.
 */
export function compileMatcher(pattern: string | undefined): MatcherCompilation {
  const text = pattern?.trim();
  if (text === undefined || text === "" || text === "*") return { ok: true, matcher: everything };
  if (listOfNames.test(text)) {
    const names = new Set(
      text
        .split(/[|,]/)
        .map((name) => name.trim())
        .filter((name) => name !== ""),
    );
    return { ok: true, matcher: { takes: (subject) => names.has(subject) } };
  }
  try {
    const expression = new RegExp(text);
    return { ok: true, matcher: { takes: (subject) => expression.test(subject) } };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
