import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import type { CommandEnd } from "../../hooks/commandRunner.ts";
import { type LongLivedProcess, startLongLivedProcess } from "../../process/longLivedProcess.ts";
import { findShell } from "../../process/shell.ts";
import { OutputTail } from "./outputTail.ts";
import type { RunningShell } from "./shellTasks.ts";

/** What a listener that comes late is told of the output before it, at most. In UTF-16 units. */
const replayed = 200_000;
/** Between TERM and KILL. */
const graceMs = 150;

export interface ShellStart {
  command: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** The shell leaves its last directory in this file. */
  cwdFile: string;
}

/** Starts a command in Bash, or in the shell that stands for it. Rejects with an error for people. */
export async function startShell(start: ShellStart): Promise<RunningShell> {
  const before = new OutputTail(replayed);
  const listeners = new Set<(text: string, stream: "stdout" | "stderr") => void>();
  const tell = (text: string, stream: "stdout" | "stderr") => {
    if (text === "") return;
    before.add(text, stream);
    for (const listener of listeners) listener(text, stream);
  };
  const decoders = { stdout: new StringDecoder("utf8"), stderr: new StringDecoder("utf8") };
  const { file, args } = shellCall(start);
  const child = await startLongLivedProcess({
    file,
    args,
    cwd: start.cwd,
    env: start.env,
    onStdout: (chunk) => tell(decoders.stdout.write(chunk), "stdout"),
    onStderr: (chunk) => tell(decoders.stderr.write(chunk), "stderr"),
  });
  return {
    ended: endOf(child).then((end) => {
      tell(decoders.stdout.end(), "stdout");
      tell(decoders.stderr.end(), "stderr");
      return end;
    }),
    onOutput(listener) {
      for (const { text, stream } of before.pieces()) listener(text, stream);
      listeners.add(listener);
      return { dispose: () => void listeners.delete(listener) };
    },
    stop: () => child.end(graceMs),
  };
}

function endOf(child: LongLivedProcess): Promise<CommandEnd> {
  return child.ended;
}

/** The directory in which the command ended; undefined where the shell left none. Removes the file. */
export async function takeLastDirectory(cwdFile: string): Promise<string | undefined> {
  const text = await readFile(cwdFile, "utf8").catch(() => "");
  await rm(cwdFile, { force: true }).catch(() => {});
  const directory = text.replace(/\r?\n$/, "");
  return path.isAbsolute(directory) ? directory : undefined;
}

function shellCall({ command, env, cwdFile }: ShellStart): { file: string; args: readonly string[] } {
  const shell = findShell({ platform: process.platform, env, fileExists: existsSync });
  if (shell.kind === "powershell") {
    const quoted = `'${cwdFile.replaceAll("'", "''")}'`;
    const script = `try {\n${command}\n} finally { [IO.File]::WriteAllText(${quoted}, (Get-Location).Path) }`;
    return { file: shell.file, args: shell.args(script) };
  }
  const file =
    shell.kind === "sh" ? (bashPlaces.find((place) => existsSync(place)) ?? shell.file) : shell.file;
  const pwd = shell.kind === "gitBash" ? "pwd -W" : "pwd -P";
  const target = `'${cwdFile.replaceAll("\\", "/").replaceAll("'", "'\\''")}'`;
  // The command comes as an argument: it is no part of a text that we compose.
  const script = `trap "${pwd} >${target} 2>/dev/null" EXIT; eval "$1"`;
  return { file, args: ["-c", script, "bash", command] };
}

const bashPlaces = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];
