import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** Makes `folder` a file system of its own, of so many kilobytes, until the test is over. Needs Linux and root. */
export function mountTmpfs(folder: string, kilobytes: number): void {
  if (!mount(folder, kilobytes)) throw new Error(`No tmpfs could be mounted on ${folder}.`);
  onTestFinished(() => unmount(folder));
}

export function resizeTmpfs(folder: string, kilobytes: number): void {
  spawnSync("mount", ["-o", `remount,size=${kilobytes}k`, folder]);
}

/** Whether this machine lets the tests mount anything. */
export function canMountTmpfs(): boolean {
  if (process.platform !== "linux") return false;
  const folder = mkdtempSync(join(tmpdir(), "wave-hooks-probe-"));
  const works = mount(folder, 64);
  if (works) unmount(folder);
  rmdirSync(folder);
  return works;
}

function mount(folder: string, kilobytes: number): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", folder]).status === 0;
}

function unmount(folder: string): void {
  spawnSync("umount", ["-l", folder]);
}
