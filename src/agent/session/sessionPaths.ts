import { join } from "node:path";

/** Ids become file names: letters, digits, `_` and `-` alone, so that no id can point out of the folder. */
const idPattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

export function isSessionId(id: unknown): id is string {
  return typeof id === "string" && idPattern.test(id);
}

export function sessionsFolder(home: string): string {
  return join(home, ".wave", "sessions");
}

/** `session_<id>.json`, for a subagent `session_<id>.subagent_<agentId>.json`. Throws a RangeError for what is no id. */
export function sessionPath(home: string, sessionId: string, agentId?: string): string {
  for (const id of agentId === undefined ? [sessionId] : [sessionId, agentId]) {
    if (!isSessionId(id)) throw new RangeError(`Not a session id: ${JSON.stringify(id)}`);
  }
  const subagent = agentId === undefined ? "" : `.subagent_${agentId}`;
  return join(sessionsFolder(home), `session_${sessionId}${subagent}.json`);
}

/** The id in a main session's file name; undefined for subagents' and other files. */
export function sessionIdOfFile(fileName: string): string | undefined {
  const id = /^session_([^.]+)\.json$/.exec(fileName)?.[1];
  return isSessionId(id) ? id : undefined;
}

/** Holds the bytes of a replacement while it is written over the old ones (sessionJournal.ts). */
export function journalPath(path: string): string {
  return `${path}.journal`;
}

export function lockPath(path: string): string {
  return `${path}.lock`;
}
