/**
 * What Copilot calls the tools and their parameters (reference: the runtime tools of the Copilot CLI). A hook in the camelCase
 * format is told these names, and what it sends back is mapped to ours; in the PascalCase format our own names stand.
 * Parameters that are not listed have the same name in both.
 */
interface CopilotTool {
  name: string;
  /** Our parameter -> theirs. */
  parameters?: Readonly<Record<string, string>>;
}

const copilotTools: Readonly<Record<string, CopilotTool>> = {
  Read: { name: "view", parameters: { file_path: "path" } },
  Write: { name: "create", parameters: { file_path: "path", content: "file_text" } },
  Edit: { name: "edit", parameters: { file_path: "path", old_string: "old_str", new_string: "new_str" } },
  Bash: { name: "bash" },
  Grep: { name: "grep" },
  Glob: { name: "glob" },
  Agent: { name: "task", parameters: { subagent_type: "agent_type" } },
};

/** Names under which hooks of the PascalCase format may ask for a tool, beside its own. */
const compatibleAliases: Readonly<Record<string, readonly string[]>> = { Agent: ["Task"] };

/** The name in the camelCase format; MCP tools and others keep theirs. */
export function copilotToolName(toolName: string): string {
  return Object.hasOwn(copilotTools, toolName) ? (copilotTools[toolName]?.name ?? toolName) : toolName;
}

/** Every name by which a PascalCase matcher may mean this tool. */
export function compatibleToolNames(toolName: string): readonly string[] {
  const aliases = Object.hasOwn(compatibleAliases, toolName) ? (compatibleAliases[toolName] ?? []) : [];
  return [toolName, ...aliases, copilotToolName(toolName)];
}

/** Arguments as the camelCase format tells them. What is no object is passed on as it is (C19). */
export function toCopilotArguments(toolName: string, input: unknown): unknown {
  if (!isObject(input)) return input;
  const renamed = renameKeys(input, parametersOf(toolName));
  return toolName === "Read" ? withViewRange(renamed) : renamed;
}

/** The way back: `modifiedArgs` of a camelCase hook as the tool's own parameters. */
export function fromCopilotArguments(toolName: string, args: unknown): unknown {
  if (!isObject(args)) return args;
  const theirs = toolName === "Read" ? withOffsetAndLimit(args) : args;
  const back = Object.fromEntries(
    Object.entries(parametersOf(toolName)).map(([ours, other]) => [other, ours]),
  );
  return renameKeys(theirs, back);
}

function parametersOf(toolName: string): Readonly<Record<string, string>> {
  return Object.hasOwn(copilotTools, toolName) ? (copilotTools[toolName]?.parameters ?? {}) : {};
}

function renameKeys(
  input: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      Object.hasOwn(names, key) ? (names[key] ?? key) : key,
      value,
    ]),
  );
}

/** `offset`, `limit` as `view_range: [first, last]`, both 1-based and inclusive, -1 for the end. */
function withViewRange(input: Record<string, unknown>): Record<string, unknown> {
  const { offset, limit, ...rest } = input;
  if (typeof offset !== "number" && typeof limit !== "number") return input;
  const first = typeof offset === "number" ? offset : 1;
  return { ...rest, view_range: [first, typeof limit === "number" ? first + limit - 1 : -1] };
}

function withOffsetAndLimit(args: Record<string, unknown>): Record<string, unknown> {
  const { view_range: range, ...rest } = args;
  if (!Array.isArray(range) || typeof range[0] !== "number") return args;
  const [first, last] = range as [number, unknown];
  return {
    ...rest,
    offset: first,
    ...(typeof last === "number" && last >= first ? { limit: last - first + 1 } : {}),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
