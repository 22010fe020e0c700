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
  private readonly saved: Message[];
  private savedState: string;
  /** Byte offset of each saved message's line, then that of the footer. */
  private readonly offsets: number[];
  /** False: the file must be written anew. */
  private isInPlace: boolean;
  /** What a caller knows of the last save is then no longer true. */
  private lastSaveFailed = false;
  /** Saves that are under way or wait. */
  private pending = 0;
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
    this.saved = [...(options.stored?.messages ?? [])];
    this.state = options.stored?.state ?? {};
    this.savedState = JSON.stringify(this.state);
    this.offsets = options.stored?.offsets ?? [];
    this.isInPlace = this.offsets.length > 0;
    this.length = options.stored?.length ?? 0;
    this.firstPrompt = options.stored?.firstPrompt ?? "";
  }

  save(messages: readonly Message[], state: SessionState = this.state, unchangedBefore = 0): Promise<void> {
    if (this.closed) return Promise.reject(new SessionSaveError(this.path, "the session is closed."));
    this.state = state;
    // While another save is under way, what will be saved then is not yet known: all is kept, and compared later.
    const change =
      this.pending === 0
        ? this.changeOf(messages, this.lastSaveFailed ? 0 : Math.min(unchangedBefore, this.saved.length))
        : messages.slice();
    this.pending++;
    const done = this.queue
      .then(() => this.saveNow("tail" in change ? change : this.changeOf(change, 0), state))
      .finally(() => this.pending--);
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

  private changeOf(messages: readonly Message[], unchangedBefore: number): Change {
    let first = unchangedBefore;
    while (first < messages.length && first < this.saved.length && messages[first] === this.saved[first])
      first++;
    return { first, tail: messages.slice(first) };
  }

  private async saveNow({ first, tail }: Change, state: SessionState): Promise<void> {
    try {
      if (!this.acquired) await this.options.acquire();
      this.acquired = true;
      if (this.firstPrompt === "") this.firstPrompt = firstPromptOf(tail);
      const isSame = tail.length === 0 && first === this.saved.length;
      if (!(await this.isAsWeLeftIt()))
        await this.writeWhole([...this.saved.slice(0, first), ...tail], state);
      else if (!isSame || this.savedState !== JSON.stringify(state)) await this.writeTail(first, tail, state);
      this.lastSaveFailed = false;
    } catch (error) {
      this.lastSaveFailed = true;
      if (error instanceof Error && error.name.startsWith("Session")) throw error;
      throw new SessionSaveError(this.path, error);
    }
  }

  private async isAsWeLeftIt(): Promise<boolean> {
    if (!this.isInPlace) return false;
    const size = await stat(this.path).then(
      (stats) => stats.size,
      () => -1,
    );
    return size === this.length;
  }

  private async writeTail(first: number, tail: readonly Message[], state: SessionState): Promise<void> {
    const start = this.offsets[first] ?? 0;
    const { bytes, offsets } = this.encode(first, tail, state, start);
    this.file ??= await this.options.openFile(this.path);
    const end = start + bytes.length;
    if (end > this.length) await this.makeRoom(this.file, end);
    const replaces = first < this.saved.length;
    if (replaces) await this.journal.write(start, bytes);
    this.isInPlace = false;
    await this.file.write(paddedTo(this.length - start, bytes), start);
    this.isInPlace = true;
    this.isSaved(first, tail, offsets, state);
    if (end < this.length) await this.file.truncate(end);
    this.length = end;
    if (replaces) await this.journal.clear();
  }

  private isSaved(
    first: number,
    tail: readonly Message[],
    offsets: readonly number[],
    state: SessionState,
  ): void {
    replaceTail(this.saved, first, tail);
    replaceTail(this.offsets, first, offsets);
    this.savedState = JSON.stringify(state);
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
    this.isSaved(0, messages, offsets, state);
    this.isInPlace = true;
    this.length = start + bytes.length;
  }

  private encode(first: number, tail: readonly Message[], state: SessionState, start: number) {
    const offsets: number[] = [];
    let position = start;
    const parts = tail.map((message, index) => {
      const line = this.options.redact(messageLine(message, first + index));
      offsets.push(position);
      position += Buffer.byteLength(line);
      return line;
    });
    offsets.push(position);
    parts.push(this.options.redact(footerLine(state, this.firstPrompt, this.options.now())));
    return { bytes: Buffer.from(parts.join("")), offsets };
  }
}

/** Messages before `first` are saved already; `tail` takes the place of what follows. */
interface Change {
  first: number;
  tail: readonly Message[];
}

/** In place: a copy of all would make a save cost more with every message. */
function replaceTail<T>(array: T[], first: number, tail: readonly T[]): void {
  array.length = Math.min(array.length, first);
  for (const item of tail) array.push(item);
}

function paddedTo(length: number, bytes: Buffer): Buffer {
  return bytes.length >= length ? bytes : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, " ")]);
}
