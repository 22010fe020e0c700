import type { Message } from "../messages/message.ts";

/** What a session file holds beside its messages. */
export interface SessionMetadata {
  /** Absolute directory in which the session was created. */
  readonly workdir: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Set in a subagent's file. */
  readonly agentId?: string;
  readonly agentType?: string;
}

/** What is kept from save to save and may change; it stands behind the messages. */
export interface SessionState {
  readonly permissionMode?: string;
  /** Absolute; follows `cd` and worktrees. */
  readonly cwd?: string;
}

export interface StoredSession {
  readonly id: string;
  readonly metadata: SessionMetadata;
  readonly state: SessionState;
  readonly messages: readonly Message[];
}

export interface SessionListEntry {
  readonly id: string;
  /** The first thing that the user wrote, one line, bounded. Empty where nothing was said yet. */
  readonly firstPrompt: string;
  readonly workdir: string;
  /** Milliseconds since 1970: the last save. */
  readonly updatedAt: number;
}

/** The one writer of a session's file. */
export interface SessionFile {
  readonly sessionId: string;
  /** Absolute; the file exists once the first save is done, also one of no messages. */
  readonly path: string;
  /**
   * Writes what changed since the last save (told by the messages' identity). When the promise resolves, the file is whole and holds `messages`. Rejects with a
   * SessionSaveError (full disk, no permission); nothing that was saved before is lost then, and the next save catches up.
   * Calls are taken one after another; what is saved is what `messages` holds at the call.
   * @param unchangedBefore Messages before this index are known to be those of the last save that succeeded. Default: 0, and
   * they are compared.
   */
  save(messages: readonly Message[], state?: SessionState, unchangedBefore?: number): Promise<void>;
  /** Waits for saves under way and lets go of the file and of the session's lock. Calling it again does nothing. */
  close(): Promise<void>;
}

/** No such session, or its file is damaged, or the id is none. Nothing was changed. */
export class SessionNotFoundError extends Error {
  override readonly name = "SessionNotFoundError";
  constructor(readonly sessionId: string) {
    super(`Session not found: ${sessionId}`);
  }
}

/** Another process, or another agent of this one, has the session open. Nothing was changed. */
export class SessionInUseError extends Error {
  override readonly name = "SessionInUseError";
  constructor(
    readonly sessionId: string,
    readonly pid: number,
  ) {
    super(
      `Session ${sessionId} is open in another window or process (process ${pid}). Close it there, or start a new session here.`,
    );
  }
}

export class SessionSaveError extends Error {
  override readonly name = "SessionSaveError";
  constructor(path: string, cause: unknown) {
    super(`The session could not be saved to ${path}: ${reason(cause)}`, { cause });
  }
}

function reason(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return "the disk is full. Free some room; the next save writes what is missing.";
    case "EFBIG":
      return "the file would exceed the size allowed for it.";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "writing there is not permitted. Check the owner and the permissions of the folder.";
    default:
      return cause instanceof Error ? cause.message : String(cause);
  }
}
