import { stat } from "node:fs/promises";
import path from "node:path";
import picomatch from "picomatch";
import * as z from "zod";
import { resolveToolPath } from "../permissions/resolvePath.ts";
import { listFiles } from "./fileList.ts";
import { findRipgrep } from "./ripgrep.ts";
import { failedOutcome, type Tool } from "./tool.ts";
import { zodInput } from "./toolInputSchema.ts";

const input = z.object({
  pattern: z.string().min(1).max(1000).describe("For example `**/*.ts` or `src/**/test*.{js,ts}`."),
  path: z.string().optional().describe("Folder to search. Default: the current directory."),
});

const mostShown = 100;
/** Of these the newest are shown: asking for the times of more takes too long. */
const mostCompared = 20_000;

export function globTool(options: { ripgrepPath?: string }): Tool<z.infer<typeof input>> {
  return {
    name: "Glob",
    description:
      "Finds files by a pattern of their paths, the newest first. What .gitignore leaves out is not searched.",
    inputSchema: zodInput(input),
    readOnly: true,
    permissionNeed: (call, context) => ({
      kind: "read",
      path: resolveToolPath(call.path ?? ".", { cwd: context.session.cwd, home: context.home }),
    }),
    async run(call, context) {
      const startedAt = performance.now();
      const directory = resolveToolPath(call.path ?? ".", { cwd: context.session.cwd, home: context.home });
      const stats = await stat(directory).catch(() => undefined);
      if (!stats?.isDirectory()) return failedOutcome(`${directory} is not a folder.`);
      const isMatch = picomatch(call.pattern.replace(/^\.\//, ""), { dot: true });
      const ripgrep = findRipgrep(options.ripgrepPath, context.env);
      const list = await listFiles(directory, { ripgrep, env: context.env, signal: context.signal });
      const isRefused = await context.readRefusals();
      const matching = list.files
        .filter((file) => isMatch(file))
        .map((file) => path.join(directory, file))
        .filter((file) => !isRefused(file));
      const newest = await newestFirst(matching.slice(0, mostCompared));
      const filenames = newest.slice(0, mostShown);
      const truncated = matching.length > filenames.length || list.isCut;
      const more = truncated
        ? `\n[${matching.length - filenames.length} more files match. Narrow the pattern or the path.]`
        : "";
      return {
        response: {
          success: true,
          filenames,
          durationMs: Math.round(performance.now() - startedAt),
          numFiles: filenames.length,
          truncated,
        },
        text: filenames.length === 0 ? "No file matches." : `${filenames.join("\n")}${more}`,
      };
    },
  };
}

async function newestFirst(files: readonly string[]): Promise<string[]> {
  const timed: { file: string; mtimeMs: number }[] = [];
  for (let index = 0; index < files.length; index += 64) {
    const some = files.slice(index, index + 64).map(async (file) => ({
      file,
      mtimeMs: await stat(file).then(
        (stats) => stats.mtimeMs,
        () => 0,
      ),
    }));
    timed.push(...(await Promise.all(some)));
  }
  return timed
    .sort((left, right) => right.mtimeMs - left.mtimeMs || (left.file < right.file ? -1 : 1))
    .map(({ file }) => file);
}
