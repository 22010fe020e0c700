/** A rule of `permissions.allow`, `.ask` or `.deny`, read: `Name` or `Name(specifier)`, as in Claude Code. */
export interface ParsedRule {
  /** May hold `*` as a wildcard (`mcp__files__*`). */
  toolName: string;
  /** Absent: every call of the tool. */
  specifier?: string;
}

/** Undefined where the text is no rule. */
export function parsePermissionRule(text: string): ParsedRule | undefined {
  const match = /^\s*([A-Za-z][\w*.-]*)\s*(?:\(([\s\S]*)\))?\s*$/.exec(text);
  const toolName = match?.[1];
  if (toolName === undefined) return undefined;
  const specifier = match?.[2]?.trim();
  return specifier === undefined || specifier === "" || specifier === "*"
    ? { toolName }
    : { toolName, specifier };
}

/** Tools that one name in a rule stands for, beside the tool of that name. */
const families: Readonly<Record<string, readonly string[]>> = {
  Edit: ["Write"],
  Read: ["Glob", "Grep"],
};

export function ruleNamesTool(rule: ParsedRule, toolName: string): boolean {
  if (rule.toolName === toolName) return true;
  if (families[rule.toolName]?.includes(toolName)) return true;
  if (rule.toolName.includes("*")) return wildcard(rule.toolName).test(toolName);
  // `mcp__server` stands for all of the server's tools.
  return /^mcp__(?!.*__)/.test(rule.toolName) && toolName.startsWith(`${rule.toolName}__`);
}

/**
 * Whether a specifier of `Bash` covers one command. `*` stands for anything; at the end, ` *` and `:*` also cover the
 * command without arguments, and never a longer word.
 */
export function specifierCoversCommand(specifier: string, command: string): boolean {
  const pattern = specifier.replace(/:\*$/, " *").replace(/\s+/g, " ");
  if (pattern.endsWith(" *") && wildcard(pattern.slice(0, -2)).test(command)) return true;
  return wildcard(pattern).test(command);
}

/** Whole-text match, `*` for any text, newlines too. */
export function wildcard(pattern: string): RegExp {
  const source = pattern
    .split("*")
    .map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("[\\s\\S]*");
  return new RegExp(`^${source}$`);
}
