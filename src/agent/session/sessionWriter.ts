import { rename, rm, stat, writeFile } from "node:fs/promises";
import type { Message } from "../messages/message.ts";
import { type SessionFile, type SessionMetadata, SessionSaveError, type SessionState } from "./session.ts";
import type { OpenFile, PositionalFile } from "./sessionDisk.ts";
import { firstPromptOf, footerLine, headerLine, messageLine } from "./sessionDocument.ts";
import { SessionJournal } from "./sessionJournal.ts";
import { journalPath } from "./sessionPaths.ts";

export interface SessionWriterOptions {
  sessionId: string;
  path: string;
  metadata: SessionMetadata;
  openFile: OpenFile;
  now: () => number;
  /** Takes credentials out of a line before it is written. */
  redact: (line: string) => string;
  /** Before the first write: makes the folder, takes the lock. Rejects where the session may not be written. */
  acquire: () => Promise<void>;
  /** Lets go of the lock, if it was taken. */
  release: () => Promise<void>;
  /** What a restored session's file already holds. Without offsets, the first save writes the file anew. */
  stored?: {
    messages: readonly Message[];
    state: SessionState;
    offsets: number[];
    length: number;
    firstPrompt: string;
  };
}

/**
 * Overwrites the end of the file in place from the first message that changed. The document stays whole at each point but
 * inside one write:
 * 1. blanks are appended, so that the write itself needs no room (a full disk shows here, with the old document untouched);
 * 2. where saved messages are replaced, the new bytes go to the journal first;
 * 3. one write of the changed messages and the closing brackets;
 * 4. what is left over at the end is cut, the journal emptied.
 * A file that is new, gone, or not as this object left it is written whole and put in place by a rename.
 */
export class SessionWriter implements SessionFile {
  readonly sessionId: string;
  readonly path: string;
  private readonly journal: SessionJournal;
  private file: PositionalFile | undefined;
  private saved: readonly Message[];
  private savedState: string;
  /** Byte offset of each saved message's line, then that of the footer. Empty: the file must be written anew. */
  private offsets: number[];
  private length: number;
  private firstPrompt: string;
  private state: SessionState;
  private acquired = false;
  private closed = false;
  private queue: Promise<void> = Promise.resolve();

  constructor(private readonly options: SessionWriterOptions) {
    this.sessionId = options.sessionId;
    this.path = options.path;
    this.journal = new SessionJournal(journalPath(options.path), options.openFile);
    this.saved = options.stored?.messages ?? [];
    this.state = options.stored?.state ?? {};
    this.savedState = JSON.stringify(this.state);
    this.offsets = options.stored?.offsets ?? [];
    this.length = options.stored?.length ?? 0;
    this.firstPrompt = options.stored?.firstPrompt ?? "";
  }

  save(messages: readonly Message[], state: SessionState = this.state): Promise<void> {
    if (this.closed) return Promise.reject(new SessionSaveError(this.path, "the session is closed."));
    this.state = state;
    const snapshot = messages.slice();
    const done = this.queue.then(() => this.saveNow(snapshot, state));
    this.queue = done.catch(() => {});
    return done;
  }

  close(): Promise<void> {
    if (this.closed) return this.queue;
    this.closed = true;
    this.queue = this.queue.then(async () => {
      await this.file?.close();
      this.file = undefined;
      await this.journal.close();
      await this.options.release();
    });
    return this.queue;
  }

  private async saveNow(messages: readonly Message[], state: SessionState): Promise<void> {
    try {
      if (!this.acquired) await this.options.acquire();
      this.acquired = true;
      if (this.firstPrompt === "") this.firstPrompt = firstPromptOf(messages);
      if (!(await this.isAsWeLeftIt())) await this.writeWhole(messages, state);
      else {
        const first = firstDifference(this.saved, messages);
        const same = first === messages.length && first === this.saved.length;
        if (!same || this.savedState !== JSON.stringify(state)) await this.writeTail(first, messages, state);
      }
    } catch (error) {
      if (error instanceof Error && error.name.startsWith("Session")) throw error;
      throw new SessionSaveError(this.path, error);
    }
  }

  private async isAsWeLeftIt(): Promise<boolean> {
    if (this.offsets.length === 0) return false;
    const size = await stat(this.path).then(
      (stats) => stats.size,
      () => -1,
    );
    return size === this.length;
  }

  private async writeTail(first: number, messages: readonly Message[], state: SessionState): Promise<void> {
    const start = this.offsets[first] ?? 0;
    const { bytes, offsets } = this.encode(first, messages, state, start);
    this.file ??= await this.options.openFile(this.path);
    const end = start + bytes.length;
    if (end > this.length) await this.makeRoom(this.file, end);
    const replaces = first < this.saved.length;
    if (replaces) await this.journal.write(start, bytes);
    const known = this.offsets;
    this.offsets = [];
    await this.file.write(paddedTo(this.length - start, bytes), start);
    this.offsets = [...known.slice(0, first), ...offsets];
    this.saved = messages;
    this.savedState = JSON.stringify(state);
    if (end < this.length) await this.file.truncate(end);
    this.length = end;
    if (replaces) await this.journal.clear();
  }

  private async makeRoom(file: PositionalFile, end: number): Promise<void> {
    try {
      await file.write(Buffer.alloc(end - this.length, " "), this.length);
    } catch (error) {
      await file.truncate(this.length);
      throw error;
    }
    this.length = end;
  }

  private async writeWhole(messages: readonly Message[], state: SessionState): Promise<void> {
    const header = this.options.redact(headerLine(this.sessionId, this.options.metadata));
    const start = Buffer.byteLength(header);
    const { bytes, offsets } = this.encode(0, messages, state, start);
    const temporary = `${this.path}.tmp`;
    await this.file?.close();
    this.file = undefined;
    try {
      await writeFile(temporary, Buffer.concat([Buffer.from(header), bytes]), { mode: 0o600 });
      await rename(temporary, this.path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    // A record of a crash before is in the new file already.
    await this.journal.discard();
    this.offsets = offsets;
    this.saved = messages;
    this.savedState = JSON.stringify(state);
    this.length = start + bytes.length;
  }

  private encode(first: number, messages: readonly Message[], state: SessionState, start: number) {
    const parts: string[] = [];
    const offsets: number[] = [];
    let position = start;
    for (let index = first; index < messages.length; index++) {
      const message = messages[index];
      if (!message) continue;
      const line = this.options.redact(messageLine(message, index));
      offsets.push(position);
      position += Buffer.byteLength(line);
      parts.push(line);
    }
    offsets.push(position);
    parts.push(this.options.redact(footerLine(state, this.firstPrompt, this.options.now())));
    return { bytes: Buffer.from(parts.join("")), offsets };
  }
}

function firstDifference(left: readonly Message[], right: readonly Message[]): number {
  const shorter = Math.min(left.length, right.length);
  let index = 0;
  while (index < shorter && left[index] === right[index]) index++;
  return index;
}

function paddedTo(length: number, bytes: Buffer): Buffer {
  return bytes.length >= length ? bytes : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, " ")]);
}
