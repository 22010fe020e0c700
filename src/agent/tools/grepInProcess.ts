import path from "node:path";
import { createContext, Script } from "node:vm";
import picomatch from "picomatch";
import { listFiles } from "./fileList.ts";
import { FileTextError, readFileText } from "./fileText.ts";
import type { GrepInput, GrepPlace, GrepSink } from "./grepInput.ts";
import type { ToolContext } from "./tool.ts";

/** For one file: a pattern can take for ever (`(a+)+$`), and nothing else runs meanwhile. */
const timeLimitPerFileMs = 500;
const timeLimitMs = 30_000;

/** Where there is no ripgrep. Resolves with what went wrong, for the model, or undefined. */
export async function searchInProcess(
  call: GrepInput,
  place: GrepPlace,
  sink: GrepSink,
  context: ToolContext,
): Promise<string | undefined> {
  const finder = compile(call);
  if (typeof finder === "string") return finder;
  const isWanted = fileFilter(call);
  const files = place.file
    ? [place.file]
    : (await listFiles(place.directory, { ripgrep: undefined, env: {}, signal: context.signal })).files;
  const startedAt = performance.now();
  let slow = 0;
  for (const file of files) {
    context.signal.throwIfAborted();
    if (performance.now() - startedAt > timeLimitMs) {
      return "The search took too long and was ended. Narrow the path or the pattern.";
    }
    if (!isWanted(file)) continue;
    const text = await textOf(path.join(place.directory, file));
    if (text === undefined) continue;
    const lines = finder(text);
    if (lines === undefined) slow++;
    else if (lines.length > 0 && !report(file, text, lines, call, sink)) return undefined;
  }
  return slow > 0 ? `In ${slow} files the pattern took too long; they were left out.` : undefined;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return (await readFileText(file)).text;
  } catch (error) {
    if (error instanceof FileTextError) return undefined;
    throw error;
  }
}

function fileFilter(call: GrepInput): (file: string) => boolean {
  const byGlob = call.glob
    ? picomatch(call.glob, { dot: true, basename: !call.glob.includes("/") })
    : undefined;
  return (file) => (byGlob?.(file) ?? true) && (call.type === undefined || file.endsWith(`.${call.type}`));
}

/** A function from a text to the 0-based numbers of its matching lines; undefined where it took too long. A string: what is wrong. */
function compile(call: GrepInput): ((text: string) => readonly number[] | undefined) | string {
  const flags = `g${call["-i"] ? "i" : ""}${call.multiline ? "ms" : ""}`;
  try {
    new RegExp(call.pattern, flags);
  } catch (error) {
    return `The pattern is not a regular expression: ${error instanceof Error ? error.message : String(error)}`;
  }
  const script = new Script(call.multiline ? wholeTextScript : lineScript);
  const sandbox = createContext({ pattern: call.pattern, flags, text: "" });
  return (text) => {
    sandbox.text = text;
    try {
      return [...(script.runInContext(sandbox, { timeout: timeLimitPerFileMs }) as number[])];
    } catch {
      return undefined;
    }
  };
}

const lineScript = `{
  const re = new RegExp(pattern, flags.replace("g", ""));
  const found = [];
  text.split("\\n").forEach((line, index) => { if (re.test(line.replace(/\\r$/, ""))) found.push(index); });
  found;
}`;

const wholeTextScript = `{
  const re = new RegExp(pattern, flags);
  const found = new Set();
  let line = 0, at = 0;
  for (const match of text.matchAll(re)) {
    for (; at < match.index; at++) if (text[at] === "\\n") line++;
    const last = line + match[0].replace(/\\n$/, "").split("\\n").length - 1;
    for (let each = line; each <= last; each++) found.add(each);
  }
  [...found];
}`;

function report(
  file: string,
  text: string,
  matching: readonly number[],
  call: GrepInput,
  sink: GrepSink,
): boolean {
  if (call.output_mode !== "content") return sink.file(file, matching.length);
  const lines = text.split("\n").map((line) => line.replace(/\r$/, ""));
  const before = call["-B"] ?? call["-C"] ?? 0;
  const after = call["-A"] ?? call["-C"] ?? 0;
  const isMatch = new Set(matching);
  const shown = new Set<number>();
  for (const number of matching) {
    for (let each = Math.max(0, number - before); each <= Math.min(lines.length - 1, number + after); each++)
      shown.add(each);
  }
  return [...shown]
    .sort((left, right) => left - right)
    .every((number) =>
      sink.line({ file, line: number + 1, text: lines[number] ?? "", isContext: !isMatch.has(number) }),
    );
}
