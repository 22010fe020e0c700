import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Logger, silentLogger } from "../../base/logger.ts";
import type { Message, ToolBlock } from "../messages/message.ts";
import {
  type SessionFile,
  type SessionListEntry,
  type SessionMetadata,
  SessionNotFoundError,
  type StoredSession,
} from "./session.ts";
import { type OpenFile, openOnDisk } from "./sessionDisk.ts";
import {
  firstPromptOf,
  headerLine,
  lineOffsets,
  parseFooter,
  parseHeader,
  parseSession,
} from "./sessionDocument.ts";
import { replayJournal } from "./sessionJournal.ts";
import { takeSessionLock } from "./sessionLock.ts";
import {
  isSessionId,
  journalPath,
  lockPath,
  sessionIdOfFile,
  sessionPath,
  sessionsFolder,
} from "./sessionPaths.ts";
import { SessionWriter } from "./sessionWriter.ts";

export interface SessionStoreOptions {
  /** Sessions live in `<home>/.wave/sessions`. */
  home: string;
  logger?: Logger;
  now?: () => number;
  /** Takes credentials out of a line of JSON before it is written (credentials.ts). */
  redact?: (line: string) => string;
  openFile?: OpenFile;
}

/** Sessions on disk (design.md section 5). */
export class SessionStore {
  private readonly home: string;
  private readonly logger: Logger;
  private readonly now: () => number;
  private readonly redact: (line: string) => string;
  private readonly openFile: OpenFile;

  constructor(options: SessionStoreOptions) {
    this.home = options.home;
    this.logger = options.logger ?? silentLogger;
    this.now = options.now ?? Date.now;
    this.redact = options.redact ?? ((line) => line);
    this.openFile = options.openFile ?? openOnDisk;
  }

  /** The path that hooks are told. Throws a RangeError for what is no session id. */
  transcriptPath(sessionId: string, agentId?: string): string {
    return sessionPath(this.home, sessionId, agentId);
  }

  /**
   * The file of a new session or, where `metadata` names one, of its subagent. Nothing is written before the first save, which
   * also locks the session: a disk that is full at the start hinders no turn.
   */
  create(sessionId: string, metadata: SessionMetadata): SessionFile {
    const path = this.transcriptPath(sessionId, metadata.agentId);
    let release: (() => Promise<void>) | undefined;
    return new SessionWriter({
      sessionId,
      path,
      metadata,
      openFile: this.openFile,
      now: this.now,
      redact: this.redact,
      acquire: async () => {
        await mkdir(sessionsFolder(this.home), { recursive: true, mode: 0o700 });
        // A subagent's file belongs to its session, whose lock covers it.
        if (metadata.agentId === undefined) release = await takeSessionLock(lockPath(path), sessionId, path);
      },
      release: async () => release?.(),
    });
  }

  /** Reads a session and changes nothing. Rejects with SessionNotFoundError where it is missing or damaged. */
  async load(sessionId: string): Promise<StoredSession> {
    return (await this.read(sessionId)).session;
  }

  /**
   * Reads a session and opens it for writing. Rejects with SessionNotFoundError where it is missing or damaged, and with
   * SessionInUseError where somebody else has it open; in both cases nothing was changed.
   */
  async open(sessionId: string): Promise<{ session: StoredSession; file: SessionFile }> {
    await this.read(sessionId);
    const path = this.transcriptPath(sessionId);
    const release = await takeSessionLock(lockPath(path), sessionId, path);
    try {
      // Once more: whoever held the lock until now may have written since.
      const { session, bytes, isClean } = await this.read(sessionId);
      const header = this.redact(headerLine(sessionId, session.metadata));
      const offsets = isClean ? lineOffsets(bytes, header, session.messages.length) : undefined;
      const file = new SessionWriter({
        sessionId,
        path,
        metadata: session.metadata,
        openFile: this.openFile,
        now: this.now,
        redact: this.redact,
        acquire: async () => {},
        release,
        stored: {
          messages: session.messages,
          state: session.state,
          offsets: offsets ?? [],
          length: bytes.length,
          firstPrompt: firstPromptOf(session.messages),
        },
      });
      if (!offsets) await this.repair(file, session);
      return { session: { ...session, messages: session.messages.map(withEndedTools) }, file };
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** Main sessions, the last saved first. Reads the ends of the files alone; what is no session is passed over. */
  async list(options: { workdir?: string; limit?: number } = {}): Promise<SessionListEntry[]> {
    const folder = sessionsFolder(this.home);
    const names = await readdir(folder).catch(() => []);
    const found: SessionListEntry[] = [];
    for (let index = 0; index < names.length; index += 32) {
      const entries = await Promise.all(
        names.slice(index, index + 32).map((name) => readEntry(folder, name)),
      );
      for (const entry of entries) {
        if (entry && (options.workdir === undefined || entry.workdir === options.workdir)) found.push(entry);
      }
    }
    return found.sort((left, right) => right.updatedAt - left.updatedAt).slice(0, options.limit);
  }

  /** Deletes a session with its subagents' files. Rejects with SessionInUseError where somebody has it open. */
  async remove(sessionId: string): Promise<void> {
    if (!isSessionId(sessionId)) throw new SessionNotFoundError(sessionId);
    const path = this.transcriptPath(sessionId);
    if (!(await stat(path).catch(() => undefined))) throw new SessionNotFoundError(sessionId);
    const release = await takeSessionLock(lockPath(path), sessionId, path);
    try {
      const names = await readdir(sessionsFolder(this.home));
      const subagents = names.filter((name) => name.startsWith(`session_${sessionId}.subagent_`));
      for (const name of subagents) await rm(join(sessionsFolder(this.home), name), { force: true });
      await rm(journalPath(path), { force: true });
      await rm(path, { force: true });
    } finally {
      await release();
    }
  }

  private async read(
    sessionId: string,
  ): Promise<{ session: StoredSession; bytes: Buffer; isClean: boolean }> {
    if (!isSessionId(sessionId)) throw new SessionNotFoundError(sessionId);
    const path = this.transcriptPath(sessionId);
    const onDisk = await readFile(path).catch(() => undefined);
    if (!onDisk) throw new SessionNotFoundError(sessionId);
    const journal = await readFile(journalPath(path)).catch(() => undefined);
    const replayed = journal && replayJournal(onDisk, journal);
    const bytes = replayed ?? onDisk;
    const parsed = parseSession(bytes.toString("utf8"));
    if (!parsed || parsed.session.id !== sessionId) {
      this.logger.warn(`The session file ${path} is damaged and cannot be opened.`);
      throw new SessionNotFoundError(sessionId);
    }
    if (parsed.torn) {
      this.logger.warn(
        `The session file ${path} ends in the middle of a save; what was saved before is used.`,
      );
    }
    return { session: parsed.session, bytes, isClean: !parsed.torn && !replayed };
  }

  private async repair(file: SessionFile, session: StoredSession): Promise<void> {
    try {
      await file.save(session.messages, session.state);
    } catch (error) {
      this.logger.warn("The session file could not be put in order; the next save tries again.", error);
    }
  }
}

/** Nothing runs on in a session that is opened anew: calls that had not ended never will. */
function withEndedTools(message: Message): Message {
  if (!message.blocks.some((block) => block.type === "tool" && block.stage === "running")) return message;
  return {
    ...message,
    blocks: message.blocks.map((block) =>
      block.type === "tool" && block.stage === "running" ? { ...block, ...interrupted } : block,
    ),
  };
}

const interrupted: Partial<ToolBlock> = {
  stage: "end",
  success: false,
  error: "The tool call was interrupted before it ended. It may have run in part.",
};

const endBytes = 8192;

async function readEntry(folder: string, name: string): Promise<SessionListEntry | undefined> {
  const id = sessionIdOfFile(name);
  if (id === undefined) return undefined;
  try {
    const file = await open(join(folder, name), "r");
    try {
      const { size, mtimeMs } = await file.stat();
      const header = parseHeader(await readAt(file, 0, endBytes));
      if (header?.id !== id) return undefined;
      const footer = parseFooter(await readAt(file, Math.max(0, size - endBytes), endBytes));
      return {
        id,
        workdir: header.metadata.workdir,
        firstPrompt: footer?.firstPrompt ?? "",
        updatedAt: footer?.updatedAt ?? Math.round(mtimeMs),
      };
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

async function readAt(
  file: Awaited<ReturnType<typeof open>>,
  position: number,
  length: number,
): Promise<string> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.toString("utf8", 0, bytesRead);
}
