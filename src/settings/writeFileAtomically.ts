import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { withFileLock } from "./fileLock.ts";
import { errorCause, errorCode, type FileSystem, isMissing, nodeFileSystem } from "./fileSystem.ts";
import { SettingsFileError } from "./settingsProblem.ts";
import { hashBytes } from "./settingsText.ts";

export interface AtomicWriteOptions {
  /** The SHA-256 (hex) that the file must still have; `null`: it must not exist; absent: whatever it has. */
  expectedHash?: string | null;
  fs?: FileSystem;
}

/**
 * Replaces the content of a file in one step: links and the file's mode stay, and a reader sees the old or the new content, never half.
 * Missing folders are made. Rejects with a SettingsFileError and leaves the file as it was.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  { expectedHash, fs = nodeFileSystem }: AtomicWriteOptions = {},
): Promise<{ hash: string }> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  try {
    const target = await resolveLinks(path, fs);
    if (expectedHash !== null && expectedHash !== undefined) await mustExist(target, path, fs);
    else await fs.mkdir(dirname(target), { recursive: true });
    await withFileLock(target, fs, () => replace(target, path, bytes, expectedHash, fs));
    return { hash: hashBytes(bytes) };
  } catch (error) {
    throw asSettingsFileError(path, error);
  }
}

async function replace(
  target: string,
  path: string,
  bytes: Uint8Array,
  expectedHash: string | null | undefined,
  fs: FileSystem,
): Promise<void> {
  const before = await statIfThere(target, fs);
  if (before?.isDirectory())
    throw new SettingsFileError(path, { code: "fileIsDirectory", params: { file: path } });
  // A rename would replace even a read-only file; whoever made it read-only meant it.
  if (before) await fs.access(target, constants.W_OK);
  const draft = join(dirname(target), `.${basename(target)}.${randomUUID()}.tmp`);
  try {
    await writeDraft(draft, bytes, before, fs);
    await mustBeAsExpected(target, path, expectedHash, fs);
    await renameOver(draft, target, fs);
  } catch (error) {
    await fs.unlink(draft).catch(() => {
      // It was never made, or the disk is failing: the error that led here tells more.
    });
    throw error;
  }
  await syncFolder(dirname(target), fs);
}

async function writeDraft(
  draft: string,
  bytes: Uint8Array,
  like: Stats | undefined,
  fs: FileSystem,
): Promise<void> {
  const handle = await fs.open(draft, "wx", like ? like.mode & 0o777 : 0o666);
  try {
    await handle.writeFile(bytes);
    if (like) {
      const made = await handle.stat();
      // Only root may give a file away; for everybody else the owner is the same already.
      if (made.uid !== like.uid || made.gid !== like.gid)
        await handle.chown(like.uid, like.gid).catch(() => undefined);
      await handle.chmod(like.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function mustExist(target: string, path: string, fs: FileSystem): Promise<void> {
  if (!(await statIfThere(target, fs)))
    throw new SettingsFileError(path, { code: "fileGone", params: { file: path } });
}

async function mustBeAsExpected(
  target: string,
  path: string,
  expectedHash: string | null | undefined,
  fs: FileSystem,
): Promise<void> {
  if (expectedHash === undefined) return;
  let hash: string | null;
  try {
    hash = hashBytes(await fs.readFile(target));
  } catch (error) {
    if (!isMissing(error)) throw error;
    hash = null;
  }
  if (hash === expectedHash) return;
  const code = hash === null ? "fileGone" : "fileChanged";
  throw new SettingsFileError(path, { code, params: { file: path } });
}

/** Windows refuses while a virus scanner or an editor holds the file for a moment. */
async function renameOver(draft: string, target: string, fs: FileSystem): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await fs.rename(draft, target);
      return;
    } catch (error) {
      const mayPass =
        process.platform === "win32" && ["EPERM", "EBUSY", "EACCES"].includes(errorCode(error) ?? "");
      if (!mayPass || attempt === 10) throw error;
      await delay(20 * attempt);
    }
  }
}

/** Makes the rename last through a power failure, where the system can open a folder. */
async function syncFolder(folder: string, fs: FileSystem): Promise<void> {
  try {
    const handle = await fs.open(folder, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // Windows and some network disks cannot; the file itself is on the disk.
  }
}

/** The file that a path leads to, links followed, also where the last link points to nothing yet. */
async function resolveLinks(path: string, fs: FileSystem): Promise<string> {
  let target = resolve(path);
  for (let links = 0; links < 40; links++) {
    try {
      return await fs.realpath(target);
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
    try {
      target = resolve(dirname(target), await fs.readlink(target));
    } catch {
      // No link: nothing stands here yet.
      return target;
    }
  }
  return target;
}

async function statIfThere(path: string, fs: FileSystem): Promise<Stats | undefined> {
  try {
    return await fs.stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function asSettingsFileError(path: string, error: unknown): SettingsFileError {
  if (error instanceof SettingsFileError)
    return error.file === path
      ? error
      : new SettingsFileError(
          path,
          { ...error.problem, params: { ...error.problem.params, file: path } },
          { cause: error },
        );
  const params = { file: path, cause: errorCause(error) };
  switch (errorCode(error)) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new SettingsFileError(path, { code: "fileNoPermission", params }, { cause: error });
    case "ENOSPC":
    case "EDQUOT":
      return new SettingsFileError(path, { code: "diskFull", params }, { cause: error });
    default:
      return new SettingsFileError(path, { code: "writeFailed", params }, { cause: error });
  }
}
