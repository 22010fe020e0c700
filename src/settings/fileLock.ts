import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode, type FileSystem, isMissing } from "./fileSystem.ts";
import { SettingsFileError } from "./settingsProblem.ts";

/** A change takes milliseconds; a lock that is older was left behind by a process that died. */
const staleAfterMs = 10_000;
const giveUpAfterMs = 3_000;

/**
 * Runs the work while no other process runs its own on the same file, by a lock file beside it that names its owner.
 * Rejects with "fileLocked" when the lock does not come free in three seconds.
 */
export async function withFileLock<T>(file: string, fs: FileSystem, work: () => Promise<T>): Promise<T> {
  const lock = join(dirname(file), `.${basename(file)}.lock`);
  const owner = `${process.pid} ${hostname()} ${randomUUID()}`;
  const deadline = Date.now() + giveUpAfterMs;
  while (!(await tryToLock(lock, owner, fs))) {
    if (await isStale(lock, fs)) await breakLock(lock, fs);
    else if (Date.now() > deadline)
      throw new SettingsFileError(file, { code: "fileLocked", params: { file } });
    else await delay(5 + Math.random() * 20);
  }
  try {
    return await work();
  } finally {
    // Whoever broke the lock, because this process was suspended, owns it now.
    if ((await readOwner(lock, fs)) === owner) await unlinkIfThere(lock, fs);
  }
}

async function tryToLock(lock: string, owner: string, fs: FileSystem): Promise<boolean> {
  try {
    const handle = await fs.open(lock, "wx", 0o600);
    try {
      await handle.writeFile(owner);
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function isStale(lock: string, fs: FileSystem): Promise<boolean> {
  try {
    const [owner, info] = await Promise.all([readOwner(lock, fs), fs.stat(lock)]);
    if (owner === undefined) return false;
    return Date.now() - info.mtimeMs > staleAfterMs || isDead(owner);
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isDead(owner: string): boolean {
  const [pid, host] = owner.split(" ");
  if (host !== hostname() || !pid || !/^\d+$/.test(pid)) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}

/** Moves the lock aside before deleting it: of several processes that see it stale, one succeeds. */
async function breakLock(lock: string, fs: FileSystem): Promise<void> {
  const aside = `${lock}.${randomUUID()}`;
  try {
    await fs.rename(lock, aside);
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  // Another process broke the stale lock first, and this one took away its new lock: give it back.
  if (!(await isStale(aside, fs))) {
    await fs.link(aside, lock).catch(() => {
      // A third process has locked meanwhile, or the disk knows no links: the comparison before the write still protects.
    });
  }
  await unlinkIfThere(aside, fs);
}

async function readOwner(lock: string, fs: FileSystem): Promise<string | undefined> {
  try {
    return await fs.readFile(lock, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function unlinkIfThere(path: string, fs: FileSystem): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
