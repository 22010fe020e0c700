import type { AgentModuleFactory } from "./agentModule.ts";
import { sideWorkModule } from "./background/sideWorkModule.ts";
import { mcpModule } from "./mcp/mcpModule.ts";
import { worktreeModule } from "./worktrees/worktreeModule.ts";

/** The parts of the agent beyond its loop, in the order in which their tools are listed to the model. */
export const agentModules: readonly AgentModuleFactory[] = [sideWorkModule, worktreeModule, mcpModule];
