import type { BigIntStats } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { type FileSignature, fileSignature } from "./fileSignature.ts";
import type { FileSystem } from "./fileSystem.ts";
import { type HookFileLocation, statIfReachable } from "./hookFileLocations.ts";
import { type LoadedFile, loadedFile } from "./loadedFile.ts";
import { readSettingsText } from "./settingsText.ts";

interface Entry {
  signature: FileSignature;
  file: LoadedFile;
}

/** How long a file that seems broken may be one that is being written at this moment. */
const writingMs = 1_000;
const writingRetries = [20, 40, 80];

/** Keeps what files say, and reads a file again only when it changed. */
export class LoadedFileCache {
  private readonly entries = new Map<string, Entry>();
  private readonly fs: FileSystem;

  constructor(fs: FileSystem) {
    this.fs = fs;
  }

  /**
   * The file as it is now; the same object as before where it says the same. A file that broke keeps the content that it had:
   * a guard must not vanish while somebody types.
   */
  async load(location: HookFileLocation, info: BigIntStats | undefined): Promise<LoadedFile> {
    const key = `${location.source}:${location.file}`;
    const known = this.entries.get(key);
    const signature = fileSignature(info, Date.now());
    if (known?.signature.value === signature.value && known.signature.isSettled) return known.file;
    const entry = await this.read(location, signature, known);
    this.entries.set(key, entry);
    return entry.file;
  }

  /** Forgets the files that are not among these, so that one that comes back starts anew. */
  retain(locations: readonly HookFileLocation[]): void {
    const kept = new Set(locations.map(({ source, file }) => `${source}:${file}`));
    for (const key of this.entries.keys()) if (!kept.has(key)) this.entries.delete(key);
  }

  private async read(
    location: HookFileLocation,
    first: FileSignature,
    known: Entry | undefined,
  ): Promise<Entry> {
    let signature = first;
    for (let attempt = 0; ; attempt++) {
      const read = await readSettingsText(location.file, this.fs);
      if (read.state === "read" && read.hash === known?.file.hash) return { signature, file: known.file };
      const file = loadedFile(location, read);
      const wait = writingRetries[attempt];
      if (wait === undefined || !(await this.mayBeBeingWritten(file, known)))
        return { signature, file: saysTheSame(file, known) ? known.file : withLastGood(file, known) };
      await delay(wait);
      signature = fileSignature(await statIfReachable(location.file, this.fs), Date.now());
    }
  }

  private async mayBeBeingWritten(file: LoadedFile, known: Entry | undefined): Promise<boolean> {
    if (file.state === "read") return false;
    if (file.state === "missing") return known?.file.content !== undefined;
    const info = await statIfReachable(file.location.file, this.fs);
    return info !== undefined && Math.abs(Date.now() - Number(info.mtimeMs)) < writingMs;
  }
}

/** Of files that cannot be read, which have no hash: whether the same is in the way as before. */
function saysTheSame(file: LoadedFile, known: Entry | undefined): known is Entry {
  return (
    known?.file.state === file.state &&
    known.file.hash === file.hash &&
    isDeepStrictEqual(known.file.problems, file.problems)
  );
}

function withLastGood(file: LoadedFile, known: Entry | undefined): LoadedFile {
  const content = known?.file.content;
  return file.state === "broken" && content ? { ...file, content } : file;
}
