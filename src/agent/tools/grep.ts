import { stat } from "node:fs/promises";
import path from "node:path";
import { realPathOf, resolveToolPath } from "../permissions/resolvePath.ts";
import { cutText } from "./cutText.ts";
import { searchInProcess } from "./grepInProcess.ts";
import { type GrepInput, type GrepLine, type GrepPlace, type GrepSink, grepInput } from "./grepInput.ts";
import { searchWithRipgrep } from "./grepWithRipgrep.ts";
import { findRipgrep } from "./ripgrep.ts";
import { failedOutcome, type Tool, type ToolOutcome } from "./tool.ts";
import { zodInput } from "./toolInputSchema.ts";

const defaultLimit = 250;
const longestLine = 1000;
const longestText = 40_000;

export function grepTool(options: { ripgrepPath?: string }): Tool<GrepInput> {
  return {
    name: "Grep",
    description:
      "Searches the contents of files by a regular expression. What .gitignore leaves out is not searched.",
    inputSchema: zodInput(grepInput),
    readOnly: true,
    permissionNeed: (call, context) => ({
      kind: "read",
      path: resolveToolPath(call.path ?? ".", { cwd: context.session.cwd, home: context.home }),
    }),
    async run(call, context) {
      const target = resolveToolPath(call.path ?? ".", { cwd: context.session.cwd, home: context.home });
      const stats = await stat(target).catch(() => undefined);
      if (!stats) return failedOutcome(`${target} does not exist.`);
      const place: GrepPlace = stats.isDirectory()
        ? { directory: target }
        : { directory: path.dirname(target), file: path.basename(target) };
      const isRefused = await context.readRefusals();
      // what a rule refuses is not to be had by a link to a folder either
      const realDirectory = await realPathOf(place.directory);
      const found = new GrepFindings(
        call,
        (file) => isRefused(path.join(place.directory, file)) || isRefused(path.join(realDirectory, file)),
      );
      const ripgrep = findRipgrep(options.ripgrepPath, context.env);
      const failure = ripgrep
        ? await searchWithRipgrep(ripgrep, call, place, found, context)
        : await searchInProcess(call, place, found, context);
      if (failure !== undefined && found.isEmpty) return failedOutcome(failure);
      const base = path.relative(context.session.cwd, place.directory).split(path.sep).join("/");
      return found.outcome(
        (file) => (base.startsWith("..") ? path.join(place.directory, file) : path.posix.join(base, file)),
        failure,
      );
    },
  };
}

class GrepFindings implements GrepSink {
  private readonly entries: { file: string; text: string }[] = [];
  private readonly files = new Set<string>();
  private readonly limit: number;
  private skip: number;
  private matches = 0;
  private isCut = false;
  private previous: GrepLine | undefined;

  constructor(
    private readonly call: GrepInput,
    private readonly isRefused: (file: string) => boolean,
  ) {
    this.limit = call.head_limit ?? defaultLimit;
    this.skip = call.offset ?? 0;
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  line(found: GrepLine): boolean {
    if (this.isRefused(found.file)) return true;
    const hasGap =
      this.previous &&
      (this.previous.file !== found.file || found.line > this.previous.line + 1) &&
      this.hasContext;
    this.previous = found;
    if (!found.isContext) this.matches++;
    const text =
      found.text.length > longestLine ? `${found.text.slice(0, longestLine)}… [line cut]` : found.text;
    const mark = found.isContext ? "-" : ":";
    const number = this.call["-n"] === false ? "" : `${found.line}${mark}`;
    return this.add(found.file, `${hasGap ? "--\n" : ""}\0${mark}${number}${text}`);
  }

  file(file: string, count: number): boolean {
    if (this.isRefused(file)) return true;
    this.matches += count;
    return this.add(file, this.call.output_mode === "count" ? `\0:${count}` : "\0");
  }

  outcome(show: (file: string) => string, failure: string | undefined): ToolOutcome {
    const mode = this.call.output_mode ?? "files_with_matches";
    const filenames = [...this.files].map(show);
    const lines = this.entries.map(({ file, text }) => text.replace("\0", () => show(file)));
    const content = cutText(lines.join("\n"), longestText);
    const remarks = [
      ...(this.isCut
        ? [
            `[Only ${this.entries.length} are shown; go on with offset ${(this.call.offset ?? 0) + this.entries.length}.]`,
          ]
        : []),
      ...(failure === undefined ? [] : [`[${failure}]`]),
    ];
    return {
      response: {
        success: true,
        mode,
        numFiles: filenames.length,
        filenames,
        ...(mode === "content" ? { content, numLines: lines.length } : {}),
        ...(mode === "count" ? { numMatches: this.matches } : {}),
        ...(this.isCut ? { appliedLimit: this.limit } : {}),
      },
      text: lines.length === 0 ? "Nothing matches." : [content, ...remarks].join("\n"),
    };
  }

  private get hasContext(): boolean {
    return Boolean(this.call["-A"] || this.call["-B"] || this.call["-C"]);
  }

  private add(file: string, text: string): boolean {
    if (this.skip > 0) {
      this.skip--;
      return true;
    }
    if (this.entries.length >= this.limit) {
      this.isCut = true;
      return false;
    }
    this.entries.push({ file, text });
    this.files.add(file);
    return true;
  }
}
