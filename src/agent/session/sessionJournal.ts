import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { isRecord } from "../../protocol/validate.ts";
import type { OpenFile, PositionalFile } from "./sessionDisk.ts";

/**
 * Keeps the bytes of a replacement in a file of their own while they are written over the old ones, so that a crash half-way
 * loses neither the old nor the new. Empty at all other times: a record in it always belongs to the last, unfinished save.
 */
export class SessionJournal {
  private file: PositionalFile | undefined;
  private isEmpty = true;

  constructor(
    private readonly path: string,
    private readonly openFile: OpenFile,
  ) {}

  async write(offset: number, tail: Buffer): Promise<void> {
    this.file ??= await this.openFile(this.path);
    const head = JSON.stringify({ offset, length: tail.length, hash: hashOf(offset, tail) });
    try {
      this.isEmpty = false;
      await this.file.write(Buffer.concat([Buffer.from(`${head}\n`), tail]), 0);
    } catch (error) {
      await this.clear();
      throw error;
    }
  }

  async clear(): Promise<void> {
    await this.file?.truncate(0);
    this.isEmpty = true;
  }

  /** Removes the file, unless it holds a save that failed half-way: opening the session finishes that. */
  async close(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
    if (this.isEmpty) await rm(this.path, { force: true });
  }

  /** Removes the file whatever it holds: the session file has just been written whole. */
  async discard(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
    await rm(this.path, { force: true });
    this.isEmpty = true;
  }
}

/** The session file's bytes with the unfinished save of `journal` done; undefined where the journal holds no whole record. */
export function replayJournal(bytes: Buffer, journal: Buffer): Buffer | undefined {
  const headEnd = journal.indexOf(0x0a);
  if (headEnd < 0) return undefined;
  const head = parseHead(journal.toString("utf8", 0, headEnd));
  if (!head) return undefined;
  const tail = journal.subarray(headEnd + 1);
  if (tail.length !== head.length || hashOf(head.offset, tail) !== head.hash) return undefined;
  if (bytes.length < head.offset) return undefined;
  return Buffer.concat([bytes.subarray(0, head.offset), tail]);
}

function hashOf(offset: number, tail: Buffer): string {
  return createHash("sha1").update(`${offset}\n`).update(tail).digest("hex");
}

function parseHead(text: string): { offset: number; length: number; hash: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { offset, length, hash } = value;
    if (typeof offset !== "number" || typeof length !== "number" || typeof hash !== "string")
      return undefined;
    return { offset, length, hash };
  } catch {
    return undefined;
  }
}
