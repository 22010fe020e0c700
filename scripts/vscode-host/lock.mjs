import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** A process that dies between making its lock and writing its id into it holds it no longer than this, in ms. */
const unnamedLockLifetime = 30_000;

/**
 * Runs `work` while no other process does so for the same `lockDir`. A lock whose owner is dead is taken over.
 * @template T
 * @param {string} lockDir a folder that exists while the lock is held
 * @param {() => Promise<T>} work
 * @param {(ownerPid: number) => void} onWait called once when another process holds the lock
 * @returns {Promise<T>}
 */
export async function withLock(lockDir, work, onWait) {
  let waiting = false;
  while (!tryLock(lockDir)) {
    const owner = ownerOf(lockDir);
    if (owner === undefined ? age(lockDir) > unnamedLockLifetime : !isAlive(owner)) {
      rmSync(lockDir, { recursive: true, force: true });
      continue;
    }
    if (!waiting && owner !== undefined) {
      waiting = true;
      onWait(owner);
    }
    await delay(200);
  }
  try {
    return await work();
  } finally {
    rmSync(lockDir, { recursive: true, force: true });
  }
}

/** @param {string} lockDir */
function tryLock(lockDir) {
  try {
    mkdirSync(path.dirname(lockDir), { recursive: true });
    mkdirSync(lockDir);
    writeFileSync(path.join(lockDir, "pid"), String(process.pid));
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

/** @param {string} lockDir @returns {number | undefined} */
function ownerOf(lockDir) {
  try {
    const pid = Number.parseInt(readFileSync(path.join(lockDir, "pid"), "utf8"), 10);
    return Number.isNaN(pid) ? undefined : pid;
  } catch {
    return undefined;
  }
}

/** @param {string} lockDir */
function age(lockDir) {
  try {
    return Date.now() - statSync(lockDir).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, "EPERM");
  }
}

/** @param {unknown} error @param {string} code */
function isErrno(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}
