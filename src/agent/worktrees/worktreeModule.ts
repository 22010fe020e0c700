import type { AgentModuleFactory } from "../agentModule.ts";
import { WorktreeSession } from "./worktreeSession.ts";
import { enterWorktreeTool, exitWorktreeTool } from "./worktreeTools.ts";

/** EnterWorktree and ExitWorktree. A worktree outlives the session that made it: work must not be lost by closing a window. */
export const worktreeModule: AgentModuleFactory = (host) => {
  const session = new WorktreeSession(host);
  const tools = [enterWorktreeTool(session), exitWorktreeTool(session)];
  return { tools: () => tools, endSession: () => session.leave() };
};
