/** The public entry: `import { Agent, HookManager } from "wave-hooks/sdk"` (design.md section 6). */
// biome-ignore-all lint/performance/noBarrelFile: this file is the package's public entry
export { Agent } from "./agent/agent.ts";
export { type ComposerOptions, createComposerModel } from "./agent/composer/composerModel.ts";
export { convertMessagesForAPI } from "./agent/messages/convertMessagesForAPI.ts";
export {
  StandaloneHookManager as HookManager,
  type StandaloneHookManagerOptions as HookManagerOptions,
} from "./agent/standaloneHookManager.ts";
export type { HookEvent, HookSession } from "./hooks/hookEvent.ts";
export type { FireOptions, HookRewake, HookStart } from "./hooks/hookManager.ts";
export type { HookEventResult, HookNotice, HookRunRecord } from "./hooks/hookResult.ts";
