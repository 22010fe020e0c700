import { constants } from "node:fs";
import { access, open, stat } from "node:fs/promises";
import { basename, delimiter, isAbsolute, join, resolve } from "node:path";

export interface ShellFailure {
  command: string;
  /** 126 and 127 are the shell's own: it could not run, or not find, what the command names. */
  code: number;
  stderr: string;
  /** The directory in which the command ran. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

const shells = new Set(["sh", "bash", "dash", "zsh", "ksh"]);

/**
 * Says in words why a POSIX shell could not run a command, and what to do about it (E5). Undefined where nothing wrong is found:
 * then the command itself chose that exit code.
 */
export async function explainShellFailure(failure: ShellFailure): Promise<string | undefined> {
  if (failure.code !== 126 && failure.code !== 127) return undefined;
  for (const suspect of suspects(failure)) {
    const explanation = await explain(suspect, failure);
    if (explanation !== undefined) return explanation;
  }
  return undefined;
}

/**
 * dash and Python exit with 2 where the script that they are given cannot be opened. The hook never ran then, and a missing
 * script must not block (E5): undefined where the code is the script's own.
 */
export async function explainUnopenedScript(failure: ShellFailure): Promise<string | undefined> {
  if (failure.code !== 2 || !interpreterMessage.test(failure.stderr)) return undefined;
  const words = firstWords(failure.command, failure.env);
  const script = words.slice(1).find((word) => !word.startsWith("-"));
  if (!/^(?:sh|dash|python[\d.]*)$/.test(basename(words[0] ?? "")) || script === undefined) return undefined;
  const found = await stat(resolve(failure.cwd, script)).catch(() => undefined);
  return found === undefined ? notThere(script, failure) : undefined;
}

const interpreterMessage = /^\S*(?:sh|python[\d.]*): (?:\d+: )?can(?:'t|not) open /m;

function notThere(name: string, { cwd }: ShellFailure): string {
  return `"${name}" does not exist (looked up in ${cwd}): correct the path`;
}

interface Suspect {
  name: string;
  /** Given to an interpreter: looked for in the directory, not on the PATH, and needs no x bit. */
  isArgument: boolean;
}

/** What the shell names in its message, the script that a first word like `bash` is given, and the first word. */
function suspects({ command, stderr, env }: ShellFailure): Suspect[] {
  const named = shellMessage.exec(stderr)?.[1]?.trim();
  const [first, second] = firstWords(command, env);
  const script = first !== undefined && shells.has(basename(first)) ? second : undefined;
  return [
    { name: named ?? "", isArgument: named === script },
    { name: script ?? "", isArgument: true },
    { name: first ?? "", isArgument: false },
  ].filter(({ name }) => name !== "");
}

const shellMessage =
  /(?:^|: )(?:line )?(?:\d+: )?(?:cannot open )?([^:\n]+): (?:[^:\n]*not found|Permission denied|No such file|Is a directory|cannot execute|bad interpreter)/im;

async function explain({ name, isArgument }: Suspect, failure: ShellFailure): Promise<string | undefined> {
  const path = isAbsolute(name) ? name : resolve(failure.cwd, name);
  const found = await stat(path).catch(() => undefined);
  if (!isArgument && !name.includes("/")) {
    if (failure.code !== 127 || !/^[\w.+-]+$/.test(name) || (await isOnPath(name, failure.env)))
      return undefined;
    return found?.isFile()
      ? `"${name}" was not found on the PATH: write ./${name} for the file in ${failure.cwd}`
      : `the command "${name}" was not found: install it, or correct its name or the PATH`;
  }
  if (found === undefined) return notThere(name, failure);
  if (found.isDirectory()) return `"${name}" is a directory, not a program`;
  if (isArgument) return undefined;
  if (!found.isFile()) return `"${name}" is not a file that can be run`;
  if ((found.mode & 0o111) === 0) return `"${name}" is not executable: run chmod +x on it`;
  return await explainInterpreter(name, path, failure.env);
}

async function explainInterpreter(
  name: string,
  path: string,
  env: ShellFailure["env"],
): Promise<string | undefined> {
  const firstLine = await readFirstLine(path);
  if (!firstLine.startsWith("#!")) return undefined;
  if (firstLine.endsWith("\r")) {
    return `"${name}" has Windows line endings (CRLF), so the interpreter in its first line is not found: save it with LF line endings`;
  }
  const [interpreter = "", ...rest] = firstLine.slice(2).trim().split(/\s+/);
  if ((await stat(interpreter).catch(() => undefined)) === undefined) {
    return `"${name}" asks in its first line for the interpreter "${interpreter}", which does not exist: install it or correct the line`;
  }
  const program = basename(interpreter) === "env" ? rest.find((word) => !word.startsWith("-")) : undefined;
  if (program !== undefined && !program.includes("=") && !(await isOnPath(program, env))) {
    return `"${name}" asks in its first line for "${program}", which was not found: install it or correct the PATH`;
  }
  return undefined;
}

async function readFirstLine(path: string): Promise<string> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return "";
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.toString("latin1", 0, bytesRead).split("\n")[0] ?? "";
  } catch {
    return "";
  } finally {
    await file.close();
  }
}

async function isOnPath(name: string, env: ShellFailure["env"]): Promise<boolean> {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    if (folder === "") continue;
    const runs = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return true;
  }
  return false;
}

/** The first words of a simple command, with quotes removed and plain `$NAME` and `${NAME}` put in. */
function firstWords(command: string, env: ShellFailure["env"]): string[] {
  const words = command
    .trim()
    .split(/[;|&<>\n]/)[0]
    ?.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'\\])+/g);
  return (words ?? []).slice(0, 5).map((word) =>
    word.replace(/'([^']*)'|\$\{(\w+)\}|\$(\w+)|\\(.)|"/g, (_, quoted, braced, bare, escaped) => {
      const variable: string | undefined = braced ?? bare;
      return quoted ?? escaped ?? (variable === undefined ? "" : (env[variable] ?? ""));
    }),
  );
}
