/** A kind of subagent that the Agent tool can start. */
export interface AgentDefinition {
  /** What `subagent_type` names and SubagentStop hooks match on. */
  name: string;
  /** When to use it; shown to the model. */
  description: string;
  systemPrompt: string;
  /** Names of the tools that it gets, `mcp__server` and `mcp__server__*` standing for all tools of a server. Absent: all. */
  tools?: readonly string[];
  /** Tools that it does not get, whatever `tools` says. */
  withoutTools?: readonly string[];
  /** Another model of the same service. */
  model?: string;
  /** Absolute path of the file that defines it; absent for built-in ones. */
  file?: string;
}

/** These move or steer the session itself, which is the main conversation's matter alone. */
const mainConversationOnly = [
  "Workflow",
  "CronCreate",
  "CronList",
  "CronDelete",
  "EnterWorktree",
  "ExitWorktree",
];

export function mayUseTool(definition: AgentDefinition, tool: string): boolean {
  if (mainConversationOnly.includes(tool) || definition.withoutTools?.includes(tool)) return false;
  if (!definition.tools) return true;
  return definition.tools.some(
    (wanted) =>
      wanted === "*" ||
      wanted === tool ||
      (wanted.startsWith("mcp__") && tool.startsWith(`${wanted.replace(/(__)?\*?$/, "")}__`)),
  );
}
