/** The public entry: `import { Agent, HookManager } from "wave-hooks/sdk"` (design.md section 6). */
// biome-ignore-all lint/performance/noBarrelFile: this file is the package's public entry
export { Agent } from "./agent/agent.ts";
export type {
  AgentCallbacks,
  AgentOptions,
  CanUseTool,
  HooksOption,
  McpServerOption,
  PermissionAnswer,
  PermissionQuestion,
  QueuedMessage,
  TurnActivity,
  TurnStatus,
} from "./agent/agentOptions.ts";
export { type ComposerOptions, createComposerModel } from "./agent/composer/composerModel.ts";
export { convertMessagesForAPI } from "./agent/messages/convertMessagesForAPI.ts";
export type { Block, Message, ToolBlock } from "./agent/messages/message.ts";
export type { SessionListEntry } from "./agent/session/session.ts";
export {
  StandaloneHookManager as HookManager,
  type StandaloneHookManagerOptions as HookManagerOptions,
} from "./agent/standaloneHookManager.ts";
export type { CustomTool } from "./agent/tools/customTool.ts";
export type { HookEvent, HookSession } from "./hooks/hookEvent.ts";
export type { FireOptions, HookRewake, HookStart } from "./hooks/hookManager.ts";
export type { HookEventResult, HookNotice, HookRunRecord } from "./hooks/hookResult.ts";
