import * as z from "zod";
import { resolveToolPath } from "../permissions/resolvePath.ts";
import { currentText, whyNotEditable, whyStale, writeText } from "./changeFile.ts";
import { diffTexts } from "./fileDiff.ts";
import { FileTextError } from "./fileText.ts";
import { failedOutcome, type Tool, type ToolContext } from "./tool.ts";
import { zodInput } from "./toolInputSchema.ts";

const input = z.object({
  file_path: z.string().min(1).describe("Path of the file, absolute or relative to the current directory."),
  old_string: z
    .string()
    .describe("The text to replace, exactly as in the file, with enough around it to be unique."),
  new_string: z.string().describe("The text that takes its place."),
  replace_all: z.boolean().optional().describe("Replace every occurrence. Default: false."),
});

type EditInput = z.infer<typeof input>;

export const editTool: Tool<EditInput> = {
  name: "Edit",
  description:
    "Replaces a text in a file that was read before. The text must occur exactly once, unless replace_all is set.",
  inputSchema: zodInput(input),
  readOnly: false,
  async permissionNeed(call, context) {
    const file = pathOf(call, context);
    const before = await currentText(file).catch(() => undefined);
    const edit = replaceText(file, before?.text ?? "", call);
    return {
      kind: "write",
      path: file,
      ...(edit.ok ? { diff: diffTexts(file, before?.text ?? "", edit.text).text } : {}),
    };
  },
  async run(call, context) {
    const file = pathOf(call, context);
    try {
      const before = await currentText(file);
      if (!before) {
        return failedOutcome(`${file} does not exist. Use Write to create it.`, { filePath: file });
      }
      const why = (await whyStale(file, before, context.readFiles)) ?? whyNotEditable(file, before);
      if (why) return failedOutcome(why, { filePath: file });
      const edit = replaceText(file, before.text, call);
      if (!edit.ok) return failedOutcome(edit.why, { filePath: file });
      const failure = await writeText(file, edit.text, before, context.readFiles);
      if (failure) return failedOutcome(failure, { filePath: file });
      const diff = diffTexts(file, before.text, edit.text);
      return {
        response: {
          success: true,
          filePath: file,
          oldString: call.old_string,
          newString: call.new_string,
          originalFile: before.text,
          structuredPatch: diff.hunks,
          userModified: false,
          replaceAll: call.replace_all ?? false,
        },
        text: edit.count === 1 ? `${file} was changed.` : `${file} was changed in ${edit.count} places.`,
        diff: diff.text,
      };
    } catch (error) {
      if (error instanceof FileTextError) return failedOutcome(error.message, { filePath: file });
      throw error;
    }
  },
};

function pathOf(call: EditInput, context: ToolContext): string {
  return resolveToolPath(call.file_path, { cwd: context.session.cwd, home: context.home });
}

/** The model sees and writes `\n`; in a file with `\r\n` the same text is looked for, and the rest of the file stays as it is. */
function replaceText(
  file: string,
  text: string,
  call: EditInput,
): { ok: true; text: string; count: number } | { ok: false; why: string } {
  if (call.old_string === "") return { ok: false, why: "old_string is empty. Name the text to replace." };
  if (call.old_string === call.new_string)
    return { ok: false, why: "old_string and new_string are the same." };
  let { old_string: from, new_string: to } = call;
  let count = text.split(from).length - 1;
  if (count === 0 && text.includes("\r\n")) {
    from = from.replaceAll(/\r?\n/g, "\r\n");
    to = to.replaceAll(/\r?\n/g, "\r\n");
    count = text.split(from).length - 1;
  } else if (text.includes("\r\n") && !from.includes("\n")) {
    // A single line is found as it is, but what takes its place may have several.
    to = to.replaceAll(/\r?\n/g, "\r\n");
  }
  if (count === 0) {
    return {
      ok: false,
      why: `old_string does not occur in ${file}. Read the file again and copy the text exactly.`,
    };
  }
  if (count > 1 && !call.replace_all) {
    return {
      ok: false,
      why: `old_string occurs ${count} times in ${file}. Add more of the text around it, or set replace_all.`,
    };
  }
  const changed = call.replace_all ? text.split(from).join(to) : replaceFirst(text, from, to);
  return { ok: true, text: changed, count };
}

/** Without the special meaning that `$&` has to String.replace. */
function replaceFirst(text: string, from: string, to: string): string {
  const index = text.indexOf(from);
  return text.slice(0, index) + to + text.slice(index + from.length);
}
