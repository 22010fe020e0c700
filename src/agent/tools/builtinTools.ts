import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { readTool } from "./read.ts";
import type { Tool } from "./tool.ts";
import { writeTool } from "./write.ts";

/** The tools on files and commands, in the order in which the model is told of them. */
export function builtinTools(options: { ripgrepPath?: string }): readonly Tool[] {
  return [readTool, writeTool, editTool, bashTool, globTool(options), grepTool(options)];
}
