import { basename, dirname, resolve } from "node:path";
import type { FileSystem } from "./fileSystem.ts";
import { type HookFileLocations, statIfReachable } from "./hookFileLocations.ts";

export interface WatchedFolder {
  /** Device and inode. */
  identity: string;
  /** Names in the folder whose changes matter. */
  names: Set<string> | "all";
}

/** The folder of a file, and the one above it: so that the replacement of the folder itself is heard too. */
const levels = 2;
const linkLimit = 40;

/** The existing folders in which a change of the files, or of the way to them, can be heard. */
export async function foldersToWatch(
  { files, folders }: HookFileLocations,
  fs: FileSystem,
): Promise<Map<string, WatchedFolder>> {
  const watched = new Map<string, WatchedFolder>();
  for (const folder of folders) {
    await watchInside(folder, watched, fs);
    await watchWayTo(folder, watched, fs);
  }
  for (const { file } of files) {
    for (const path of await chainOfLinks(file, fs)) await watchWayTo(path, watched, fs);
  }
  return watched;
}

async function watchInside(
  folder: string,
  watched: Map<string, WatchedFolder>,
  fs: FileSystem,
): Promise<void> {
  const identity = await folderIdentity(folder, fs);
  if (identity !== undefined) watched.set(folder, { identity, names: "all" });
}

async function watchWayTo(path: string, watched: Map<string, WatchedFolder>, fs: FileSystem): Promise<void> {
  let existing = 0;
  for (let step = path; existing < levels && dirname(step) !== step; step = dirname(step)) {
    const folder = dirname(step);
    const known = watched.get(folder);
    const identity = known?.identity ?? (await folderIdentity(folder, fs));
    if (identity === undefined) continue;
    existing++;
    if (!known) watched.set(folder, { identity, names: new Set([basename(step)]) });
    else if (known.names !== "all") known.names.add(basename(step));
  }
}

async function folderIdentity(path: string, fs: FileSystem): Promise<string | undefined> {
  const info = await statIfReachable(path, fs);
  return info?.isDirectory() ? `${info.dev}:${info.ino}` : undefined;
}

/** The path, and each path that a link on the way to the file names. */
async function chainOfLinks(file: string, fs: FileSystem): Promise<string[]> {
  const chain = [file];
  for (let path = file; chain.length < linkLimit; ) {
    try {
      path = resolve(dirname(path), await fs.readlink(path));
    } catch {
      // No link, or nothing there: the chain ends.
      return chain;
    }
    chain.push(path);
  }
  return chain;
}
