/** The public entry: `import { Agent, HookManager } from "wave-hooks/sdk"` (design.md section 6). */
// biome-ignore-all lint/performance/noBarrelFile: this file is the package's public entry
export { Agent } from "./agent/agent.ts";
export { convertMessagesForAPI } from "./agent/messages/convertMessagesForAPI.ts";
export { HookManager } from "./hooks/hookManager.ts";
