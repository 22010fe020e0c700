import type { BigIntStats } from "node:fs";

/** Clocks of file systems are coarse (FAT: two seconds): what changed that recently may change again unseen. */
const clockGrainMs = 2_000n;
const nanosecondsPerMillisecond = 1_000_000n;

/** What of a file's metadata changes with its content, and whether that can be relied on yet. */
export interface FileSignature {
  value: string;
  /** False while a second change could leave the same metadata. */
  isSettled: boolean;
}

export function fileSignature(info: BigIntStats | undefined, nowMs: number): FileSignature {
  if (!info) return { value: "", isSettled: true };
  const { dev, ino, size, mtimeNs, ctimeNs } = info;
  const isOld = (timeNs: bigint) =>
    timeNs / nanosecondsPerMillisecond + clockGrainMs < BigInt(Math.floor(nowMs));
  return {
    value: `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}`,
    isSettled: isOld(mtimeNs) && isOld(ctimeNs),
  };
}
