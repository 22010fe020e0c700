import type { AgentModuleFactory } from "./agentModule.ts";

/** The parts of the agent beyond its loop, in the order in which their tools are listed to the model. */
export const agentModules: readonly AgentModuleFactory[] = [];
