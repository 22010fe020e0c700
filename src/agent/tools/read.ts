import { createInterface } from "node:readline";
import * as z from "zod";
import { realPathOf, resolveToolPath } from "../permissions/resolvePath.ts";
import {
  binaryError,
  FileTextError,
  largestWholeFile,
  looksBinary,
  readFileText,
  withFile,
} from "./fileText.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";
import { zodInput } from "./toolInputSchema.ts";

const input = z.object({
  file_path: z.string().min(1).describe("Path of the file, absolute or relative to the current directory."),
  offset: z.number().int().min(1).optional().describe("First line to read, counted from 1."),
  limit: z.number().int().min(1).max(10_000).optional().describe("Most lines to read. Default: 2000."),
});

type ReadInput = z.infer<typeof input>;

const defaultLines = 2000;
const longestLine = 2000;
/** Of one answer, in UTF-16 units. */
const longestText = 120_000;

export const readTool: Tool<ReadInput> = {
  name: "Read",
  description:
    "Reads a text file and shows its lines with their numbers. Long files come in parts: use offset and limit. " +
    "A file must be read before Edit or Write may change it.",
  inputSchema: zodInput(input),
  readOnly: true,
  permissionNeed: ({ file_path }, context) => ({ kind: "read", path: pathOf(file_path, context) }),
  async run(call, context) {
    const file = pathOf(call.file_path, context);
    try {
      const part = await readLines(file, call, context);
      return outcomeOf(file, part);
    } catch (error) {
      if (error instanceof FileTextError) return failedOutcome(error.message);
      throw error;
    }
  },
};

interface FilePart {
  lines: readonly string[];
  startLine: number;
  /** Of the file; absent where it was not read to its end. */
  totalLines?: number;
  wasCut: boolean;
}

function pathOf(given: string, context: ToolContext): string {
  return resolveToolPath(given, { cwd: context.session.cwd, home: context.home });
}

async function readLines(file: string, call: ReadInput, context: ToolContext): Promise<FilePart> {
  const startLine = call.offset ?? 1;
  const limit = call.limit ?? defaultLines;
  const size = await withFile(file, async (handle) => (await handle.stat()).size);
  if (size > largestWholeFile) return readLargeFile(file, startLine, limit, context);
  const content = await readFileText(file);
  context.readFiles.remember(await realPathOf(file), content);
  const all = content.text.split(/\r\n|\n/);
  // A line end at the end of the file ends its last line; it begins no other.
  if (all.at(-1) === "") all.pop();
  return { ...bounded(all.slice(startLine - 1, startLine - 1 + limit)), startLine, totalLines: all.length };
}

/** Reads no further than the wanted lines: neither memory nor time grow with the file. */
async function readLargeFile(
  file: string,
  startLine: number,
  limit: number,
  context: ToolContext,
): Promise<FilePart> {
  return withFile(file, async (handle) => {
    const { mtimeMs, size } = await handle.stat();
    const start = Buffer.alloc(8192);
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    if (looksBinary(start.subarray(0, bytesRead))) throw binaryError(file);
    const stream = handle.createReadStream({ start: 0, autoClose: false });
    const wanted: string[] = [];
    let number = 0;
    try {
      for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })) {
        number++;
        context.signal.throwIfAborted();
        if (number >= startLine) wanted.push(line.slice(0, longestLine + 1));
        if (wanted.length >= limit) break;
      }
    } finally {
      stream.destroy();
    }
    context.readFiles.remember(await realPathOf(file), { mtimeMs, size });
    return { ...bounded(wanted), startLine };
  });
}

function bounded(lines: readonly string[]): { lines: string[]; wasCut: boolean } {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    const text = line.length > longestLine ? `${line.slice(0, longestLine)}… [line cut]` : line;
    length += text.length + 8;
    if (length > longestText) return { lines: kept, wasCut: true };
    kept.push(text);
  }
  return { lines: kept, wasCut: false };
}

function outcomeOf(file: string, part: FilePart): ToolOutcome {
  const { lines, startLine, totalLines, wasCut } = part;
  const endLine = startLine + lines.length - 1;
  const numbered = lines.map((line, index) => `${String(startLine + index).padStart(6)}\t${line}`).join("\n");
  return {
    response: {
      success: true,
      type: "text",
      file: {
        filePath: file,
        content: lines.join("\n"),
        numLines: lines.length,
        startLine,
        ...(totalLines === undefined ? {} : { totalLines }),
      },
    },
    text: `${numbered}${remark()}`,
  };

  function remark(): string {
    if (lines.length === 0) {
      if (totalLines === 0) return "The file is empty.";
      return totalLines === undefined
        ? `The file has no line ${startLine}.`
        : `The file has ${totalLines} lines; there is none from line ${startLine} on.`;
    }
    const hasMore = wasCut || totalLines === undefined || endLine < totalLines;
    if (!hasMore) return "";
    const of = totalLines === undefined ? "" : ` of ${totalLines}`;
    return `\n\n[Lines ${startLine} to ${endLine}${of}. Go on with offset ${endLine + 1}.]`;
  }
}
