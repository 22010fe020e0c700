import { stat } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { resolveToolPath } from "../permissions/resolvePath.ts";
import { cutText } from "./cutText.ts";
import { searchInProcess } from "./grepInProcess.ts";
import { searchWithRipgrep } from "./grepWithRipgrep.ts";
import { findRipgrep } from "./ripgrep.ts";
import { failedOutcome, type Tool, type ToolOutcome } from "./tool.ts";
import { zodInput } from "./toolInputSchema.ts";

const input = z.object({
  pattern: z.string().min(1).max(10_000).describe("Regular expression."),
  path: z.string().optional().describe("File or folder to search. Default: the current directory."),
  glob: z.string().optional().describe("Only files whose path matches, e.g. `*.ts`."),
  type: z.string().regex(/^\w+$/).optional().describe("Only files of this type, e.g. `ts`, `py`."),
  output_mode: z
    .enum(["content", "files_with_matches", "count"])
    .optional()
    .describe("Matching lines, or files (the default), or the number of matching lines per file."),
  "-i": z.boolean().optional().describe("Ignore case."),
  "-n": z.boolean().optional().describe("Show line numbers. Default: true."),
  "-A": z.number().int().min(0).max(100).optional().describe("Lines to show after each match."),
  "-B": z.number().int().min(0).max(100).optional().describe("Lines to show before each match."),
  "-C": z.number().int().min(0).max(100).optional().describe("Lines to show before and after each match."),
  multiline: z.boolean().optional().describe("Let the pattern span lines."),
  head_limit: z
    .number()
    .int()
    .min(1)
    .max(5000)
    .optional()
    .describe("Most lines or files to show. Default: 250."),
  offset: z.number().int().min(0).optional().describe("Lines or files to leave out at the beginning."),
});

export type GrepInput = z.infer<typeof input>;

/** What to search: a folder, or one file in it. */
export interface GrepPlace {
  directory: string;
  /** Relative to `directory`. */
  file?: string;
}

/** One line of a file. Paths are relative to the searched folder, with `/`. */
export interface GrepLine {
  file: string;
  /** 1-based. */
  line: number;
  text: string;
  isContext: boolean;
}

/** Takes what a search finds. False: enough. In the modes `files_with_matches` and `count` a file comes once. */
export interface GrepSink {
  line(found: GrepLine): boolean;
  file(file: string, count: number): boolean;
}

const defaultLimit = 250;
const longestLine = 1000;
const longestText = 40_000;

export function grepTool(options: { ripgrepPath?: string }): Tool<GrepInput> {
  return {
    name: "Grep",
    description:
      "Searches the contents of files by a regular expression. What .gitignore leaves out is not searched.",
    inputSchema: zodInput(input),
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
      const found = new GrepFindings(call, (file) => isRefused(path.join(place.directory, file)));
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
