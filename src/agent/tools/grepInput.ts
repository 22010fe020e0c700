import * as z from "zod";

export const grepInput = z.object({
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

export type GrepInput = z.infer<typeof grepInput>;

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
