import { randomUUID } from "node:crypto";
import { link, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { hostname, uptime } from "node:os";
import { isRecord } from "../../protocol/validate.ts";
import { SessionInUseError } from "./session.ts";

interface LockContent {
  pid: number;
  host: string;
  /** Milliseconds since 1970. */
  takenAt: number;
  /** Tells this holding from every other. */
  token: string;
}

/** A lock of another machine that shares the home folder counts as left behind after this time without a save. */
const foreignLockLifeMs = 10 * 60_000;

/**
 * Takes the lock file; returns what lets go of it. Rejects with SessionInUseError while a living process holds it. A lock whose
 * process is gone is taken over.
 */
export async function takeSessionLock(
  lockPath: string,
  sessionId: string,
  sessionFile: string,
): Promise<() => Promise<void>> {
  const mine: LockContent = { pid: process.pid, host: hostname(), takenAt: Date.now(), token: randomUUID() };
  // Written apart and linked into place, so that nobody ever reads a lock that is half written.
  const prepared = `${lockPath}.${mine.token}`;
  await writeFile(prepared, JSON.stringify(mine), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (await linkInto(prepared, lockPath)) return () => releaseLock(lockPath, mine.token);
      const holder = await readLock(lockPath);
      if (holder && (await isAlive(holder, sessionFile))) throw new SessionInUseError(sessionId, holder.pid);
      await removeStale(lockPath, holder?.token);
    }
  } finally {
    await rm(prepared, { force: true });
  }
  throw new SessionInUseError(sessionId, (await readLock(lockPath))?.pid ?? 0);
}

async function linkInto(prepared: string, lockPath: string): Promise<boolean> {
  try {
    await link(prepared, lockPath);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // File systems without hard links: less strict, but still exclusive.
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error) ?? "")) throw error;
    return writeFile(lockPath, await readFile(prepared), { mode: 0o600, flag: "wx" }).then(
      () => true,
      (reason) => {
        if (codeOf(reason) === "EEXIST") return false;
        throw reason;
      },
    );
  }
}

async function readLock(lockPath: string): Promise<LockContent | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(lockPath, "utf8"));
    if (!isRecord(value)) return undefined;
    const { pid, host, takenAt, token } = value;
    if (typeof pid !== "number" || typeof host !== "string") return undefined;
    if (typeof takenAt !== "number" || typeof token !== "string") return undefined;
    return { pid, host, takenAt, token };
  } catch {
    return undefined;
  }
}

async function isAlive(lock: LockContent, sessionFile: string): Promise<boolean> {
  if (lock.host !== hostname()) {
    const saved = await stat(sessionFile).catch(() => undefined);
    return Date.now() - Math.max(lock.takenAt, saved?.mtimeMs ?? 0) < foreignLockLifeMs;
  }
  // Process ids begin anew with the machine, and are used again.
  if (lock.takenAt < Date.now() - uptime() * 1000 - 1000) return false;
  try {
    process.kill(lock.pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  const startedAt = await processStart(lock.pid);
  return startedAt === undefined || startedAt <= lock.takenAt + 2000;
}

/** When the process started, in milliseconds since 1970; undefined where the system does not say (other than Linux). */
async function processStart(pid: number): Promise<number | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  const ticks = Number(line?.slice(line.lastIndexOf(")") + 2).split(" ")[19]);
  return Number.isFinite(ticks) ? Date.now() - uptime() * 1000 + ticks * 10 : undefined;
}

/** Moves the lock away and looks at what was moved: somebody else may have taken it over meanwhile, then it goes back. */
async function removeStale(lockPath: string, token: string | undefined): Promise<void> {
  const away = `${lockPath}.${randomUUID()}`;
  try {
    await rename(lockPath, away);
  } catch {
    return;
  }
  if ((await readLock(away))?.token !== token) await link(away, lockPath).catch(() => {});
  await rm(away, { force: true });
}

async function releaseLock(lockPath: string, token: string): Promise<void> {
  if ((await readLock(lockPath))?.token === token) await rm(lockPath, { force: true });
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
