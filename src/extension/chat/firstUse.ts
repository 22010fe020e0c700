/**
 * What the chat needs at its first use and not before. A bundle of its own, loaded by `import()`: what VS Code loads when it
 * activates the extension stays small.
 */
// biome-ignore-all lint/performance/noBarrelFile: this file is the entry of a bundle
export { createComposerModel } from "../../agent/composer/composerModel.ts";
export { vscodeLanguageModel } from "../../agent/models/vscodeLanguageModel.ts";
export { SessionStore } from "../../agent/session/sessionStore.ts";
export { addAllowRule } from "./allowRule.ts";
export { diffSides } from "./diffSides.ts";
