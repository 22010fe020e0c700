import * as z from "zod";
import { resolveToolPath } from "../permissions/resolvePath.ts";
import { currentText, whyNotEditable, whyStale, withLineEndsOf, writeText } from "./changeFile.ts";
import { diffTexts } from "./fileDiff.ts";
import { FileTextError } from "./fileText.ts";
import { failedOutcome, type Tool, type ToolContext } from "./tool.ts";
import { zodInput } from "./toolInputSchema.ts";

const input = z.object({
  file_path: z.string().min(1).describe("Path of the file, absolute or relative to the current directory."),
  content: z.string().describe("The whole new content."),
});

type WriteInput = z.infer<typeof input>;

export const writeTool: Tool<WriteInput> = {
  name: "Write",
  description:
    "Writes a file: a new one, or the whole content of one that was read before. For a change in part, use Edit.",
  inputSchema: zodInput(input),
  readOnly: false,
  async permissionNeed(call, context) {
    const file = pathOf(call, context);
    const before = await currentText(file).catch(() => undefined);
    const after = before ? withLineEndsOf(before.text, call.content) : call.content;
    return { kind: "write", path: file, diff: diffTexts(file, before?.text ?? "", after).text };
  },
  async run(call, context) {
    const file = pathOf(call, context);
    try {
      const before = await currentText(file);
      if (before) {
        const why = (await whyStale(file, before, context.readFiles)) ?? whyNotEditable(file, before);
        if (why) return failedOutcome(why, { filePath: file });
      }
      const text = before ? withLineEndsOf(before.text, call.content) : call.content;
      const failure = await writeText(file, text, before, context.readFiles);
      if (failure) return failedOutcome(failure, { filePath: file });
      const diff = diffTexts(file, before?.text ?? "", text);
      return {
        response: {
          success: true,
          type: before ? "update" : "create",
          filePath: file,
          content: call.content,
          structuredPatch: before ? diff.hunks : [],
          originalFile: before?.text ?? null,
          userModified: false,
        },
        text: before ? `${file} was replaced.` : `${file} was created.`,
        diff: diff.text,
      };
    } catch (error) {
      if (error instanceof FileTextError) return failedOutcome(error.message, { filePath: file });
      throw error;
    }
  },
};

function pathOf(call: WriteInput, context: ToolContext): string {
  return resolveToolPath(call.file_path, { cwd: context.session.cwd, home: context.home });
}
