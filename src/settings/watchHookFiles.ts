import { type FSWatcher, watch as nodeWatch } from "node:fs";
import { basename } from "node:path";
import type { Disposable } from "../base/disposable.ts";
import { fileSignature } from "./fileSignature.ts";
import { errorCode, type FileSystem, nodeFileSystem } from "./fileSystem.ts";
import { foldersToWatch } from "./foldersToWatch.ts";
import { type HookFileLocations, statIfReachable } from "./hookFileLocations.ts";

export interface HookFilesWatch extends Disposable {
  /** Looks now, e.g. when the window gets the focus; resolves when `onChange` was called if anything differs. */
  check(): Promise<void>;
  /** Resolves when the watch is armed: what changes from then on is reported. Make the first list after it. */
  readonly ready: Promise<void>;
}

export interface HookFilesWatchOptions {
  /** Told once when the system cannot watch (too many watches, for instance); then the files are polled. */
  onError?: (error: unknown) => void;
  watch?: typeof nodeWatch;
  fs?: FileSystem;
}

/** One writer makes several events; they become one look. */
const coalesceMs = 25;
const pollMs = 2_000;
/** Making a path of folders one by one may need as many rounds; more means that somebody never stops. */
const armingRounds = 12;

/**
 * Calls `onChange` after every change of the files, also of files and folders that do not exist yet: node's fs.watch on the folders
 * that exist, set anew whenever they change. VS Code's own watcher never hears of a folder that is made after it.
 * `find` is asked again after each change, because a new plugin folder brings a new file.
 */
export function watchHookFiles(
  find: () => Promise<HookFileLocations>,
  onChange: () => void,
  options: HookFilesWatchOptions = {},
): HookFilesWatch {
  const watch = new FolderWatch(find, onChange, options);
  return { ready: watch.check(), check: () => watch.check(), dispose: () => watch.dispose() };
}

interface Armed {
  watcher: FSWatcher;
  /** Device and inode: another folder may take the place of this one. */
  identity: string;
  names: ReadonlySet<string> | "all";
}

class FolderWatch implements Disposable {
  private readonly find: () => Promise<HookFileLocations>;
  private readonly onChange: () => void;
  private readonly onError: (error: unknown) => void;
  private readonly watch: typeof nodeWatch;
  private readonly fs: FileSystem;
  private readonly armed = new Map<string, Armed>();
  private signature: string | undefined;
  private isTouched = false;
  private timer: NodeJS.Timeout | undefined;
  private poll: NodeJS.Timeout | undefined;
  private lastLook: Promise<void> = Promise.resolve();
  private isDisposed = false;

  constructor(
    find: () => Promise<HookFileLocations>,
    onChange: () => void,
    { onError = () => {}, watch = nodeWatch, fs = nodeFileSystem }: HookFilesWatchOptions,
  ) {
    this.find = find;
    this.onChange = onChange;
    this.onError = onError;
    this.watch = watch;
    this.fs = fs;
  }

  /** One look after the other, each from its beginning. */
  check(): Promise<void> {
    this.lastLook = this.lastLook.then(() => this.look()).catch((error: unknown) => this.onError(error));
    return this.lastLook;
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    clearInterval(this.poll);
    for (const { watcher } of this.armed.values()) watcher.close();
    this.armed.clear();
  }

  private async look(): Promise<void> {
    if (this.isDisposed) return;
    const isTouched = this.isTouched;
    this.isTouched = false;
    let locations = await this.find();
    // What changes while the watches are being set is a change already.
    const isFirst = this.signature === undefined;
    this.signature ??= await this.sign(locations);
    // A folder may have been filled between its making and its watch: look again until there is nothing new to watch.
    for (let round = 0; round < armingRounds && (await this.arm(locations)); round++)
      locations = await this.find();
    const signature = await this.sign(locations);
    const isChanged = (isTouched && !isFirst) || signature !== this.signature;
    this.signature = signature;
    if (isChanged && !this.isDisposed) this.onChange();
  }

  /** Watches what is to be watched and nothing else. True when a folder was added. */
  private async arm(locations: HookFileLocations): Promise<boolean> {
    const wanted = await foldersToWatch(locations, this.fs);
    if (this.isDisposed) return false;
    for (const [folder, { watcher, identity }] of this.armed) {
      if (wanted.get(folder)?.identity === identity) continue;
      watcher.close();
      this.armed.delete(folder);
    }
    let isAdded = false;
    for (const [folder, { identity, names }] of wanted) {
      const known = this.armed.get(folder);
      if (known) known.names = names;
      else isAdded = this.armFolder(folder, identity, names) || isAdded;
    }
    return isAdded;
  }

  private armFolder(folder: string, identity: string, names: Armed["names"]): boolean {
    try {
      const watcher = this.watch(folder, { persistent: false });
      const armed: Armed = { watcher, identity, names };
      watcher.on("change", (_kind, name) => this.hear(folder, armed, name));
      watcher.on("error", (error) => {
        // Windows reports the deletion of the watched folder as an error.
        if (errorCode(error) !== "EPERM") this.pollInstead(error);
        watcher.close();
        if (this.armed.get(folder) === armed) this.armed.delete(folder);
        this.lookSoon();
      });
      this.armed.set(folder, armed);
      return true;
    } catch (error) {
      // It went away in this moment: the next round sees that.
      if (errorCode(error) === "ENOENT") return true;
      this.pollInstead(error);
      return false;
    }
  }

  private hear(folder: string, { names }: Armed, name: string | Buffer | null): void {
    const changed = name === null ? undefined : String(name);
    const isOurs =
      changed === undefined || names === "all" || names.has(changed) || basename(folder) === changed;
    if (!isOurs) return;
    // The metadata may look the same when two changes follow at once: the event itself is proof.
    if (changed !== undefined && names !== "all" && names.has(changed)) this.isTouched = true;
    this.lookSoon();
  }

  private lookSoon(): void {
    if (this.isDisposed || this.timer) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.check();
    }, coalesceMs);
  }

  private pollInstead(error: unknown): void {
    if (this.poll || this.isDisposed) return;
    this.onError(error);
    this.poll = setInterval(() => void this.check(), pollMs);
    this.poll.unref();
  }

  private async sign({ files }: HookFileLocations): Promise<string> {
    const stats = await Promise.all(files.map(({ file }) => statIfReachable(file, this.fs)));
    const signed = files.map(({ file, source }, index) => [
      source,
      file,
      fileSignature(stats[index], 0).value,
    ]);
    return JSON.stringify(signed);
  }
}
