import { isRecord } from "../../protocol/validate.ts";
import type { GrepInput, GrepPlace, GrepSink } from "./grepInput.ts";
import { runSearch } from "./ripgrep.ts";
import type { ToolContext } from "./tool.ts";

/** Resolves with what went wrong, for the model, or undefined. */
export async function searchWithRipgrep(
  ripgrep: string,
  call: GrepInput,
  place: GrepPlace,
  sink: GrepSink,
  context: ToolContext,
): Promise<string | undefined> {
  const mode = call.output_mode ?? "files_with_matches";
  const result = await runSearch({
    file: ripgrep,
    args: [
      ...modeArguments(call, mode),
      ...commonArguments(call),
      "-e",
      call.pattern,
      "--",
      place.file ?? ".",
    ],
    cwd: place.directory,
    env: context.env,
    signal: context.signal,
    separator: mode === "files_with_matches" ? "\0" : "\n",
    onRecord: (record) => takeRecord(record, mode, sink),
  });
  if (result.timedOut) return "The search took too long and was ended. Narrow the path or the pattern.";
  if (result.exitCode === 2) return `The search failed: ${result.stderr.trim().slice(0, 1000)}`;
  return undefined;
}

function modeArguments(call: GrepInput, mode: string): string[] {
  if (mode === "files_with_matches") return ["--files-with-matches", "--null"];
  if (mode === "count") return ["--count", "--null", "--with-filename"];
  const around = (flag: "-A" | "-B" | "-C") => (call[flag] ? [flag, String(call[flag])] : []);
  return ["--json", ...around("-A"), ...around("-B"), ...around("-C")];
}

function commonArguments(call: GrepInput): string[] {
  return [
    "--hidden",
    "--no-require-git",
    "--no-config",
    "--no-messages",
    "--max-filesize=20M",
    ...(call["-i"] ? ["--ignore-case"] : []),
    ...(call.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...(call.type ? ["--type", call.type] : []),
    ...(call.glob ? ["--glob", call.glob] : []),
    "--glob=!.git",
  ];
}

function takeRecord(record: string, mode: string, sink: GrepSink): boolean {
  if (record === "") return true;
  if (mode === "files_with_matches") return sink.file(relative(record), 1);
  if (mode === "count") {
    const [file = "", count = "0"] = record.split("\0");
    return sink.file(relative(file), Number(count));
  }
  return takeJson(record, sink);
}

function takeJson(record: string, sink: GrepSink): boolean {
  let message: unknown;
  try {
    message = JSON.parse(record);
  } catch {
    // A line so long that it was cut: it is left out.
    return true;
  }
  if (!isRecord(message) || (message.type !== "match" && message.type !== "context")) return true;
  const data = message.data;
  if (!isRecord(data) || typeof data.line_number !== "number") return true;
  const file = relative(textOf(data.path));
  const lines = textOf(data.lines)
    .replace(/\r?\n$/, "")
    .split("\n");
  const from = data.line_number;
  return lines.every((text, index) =>
    sink.line({
      file,
      line: from + index,
      text: text.replace(/\r$/, ""),
      isContext: message.type === "context",
    }),
  );
}

/** ripgrep gives text, or base64 of bytes that are no UTF-8. */
function textOf(value: unknown): string {
  if (!isRecord(value)) return "";
  if (typeof value.text === "string") return value.text;
  return typeof value.bytes === "string" ? Buffer.from(value.bytes, "base64").toString("utf8") : "";
}

function relative(file: string): string {
  return file.replace(/^\.[\\/]/, "").replaceAll("\\", "/");
}
