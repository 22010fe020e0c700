import type { Disposable } from "../base/disposable.ts";
import type { HookFileLocations } from "./hookFileLocations.ts";

export interface HookFilesWatch extends Disposable {
  /** Looks now, e.g. when the window gets the focus; resolves when `onChange` was called if anything differs. */
  check(): Promise<void>;
  /** Resolves when the watch is armed. */
  readonly ready: Promise<void>;
}

/**
 * Calls `onChange` after every change of the files, also of files and folders that do not exist yet.
 * `find` is asked again after each change, because a new plugin folder brings a new file.
 */
export declare function watchHookFiles(
  find: () => Promise<HookFileLocations>,
  onChange: () => void,
  options?: { onError?: (error: unknown) => void },
): HookFilesWatch;
