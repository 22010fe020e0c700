import type { HookConfiguration } from "./hookDefinition.ts";

/**
 * Where the engine takes its hooks from. Implemented by src/settings; the engine reads no file.
 * Contract: neither throws or rejects. A value that did not change is the same object, or has the same `revision`.
 */
export interface HookConfigurationSource {
  /** What is in force now. A plain value where nothing on disk can have changed: then an event costs no turn of the event loop. */
  current(): HookConfiguration | Promise<HookConfiguration>;
  /** What `current` gave last, without looking at the disk; empty before the first load. */
  readonly latest: HookConfiguration;
}
