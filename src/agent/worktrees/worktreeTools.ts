import * as z from "zod";
import { failedOutcome, type Tool } from "../tools/tool.ts";
import { zodInput } from "../tools/toolInputSchema.ts";
import type { WorktreeChanges, WorktreeSession } from "./worktreeSession.ts";

const enterInput = z.object({
  name: z
    .string()
    .optional()
    .describe("A name for the worktree: letters, digits, dots, dashes. Default: a random one."),
});

export function enterWorktreeTool(session: WorktreeSession): Tool<z.infer<typeof enterInput>> {
  return {
    name: "EnterWorktree",
    description:
      "Makes a worktree, a second working copy of the repository on a branch of its own, and moves the session into it. " +
      "Only when the user asks for a worktree.",
    inputSchema: zodInput(enterInput),
    readOnly: false,
    permissionNeed: ({ name }) => ({
      kind: "other",
      summary: `Make a worktree${name ? ` "${name}"` : ""} and enter it`,
    }),
    async run({ name }, context) {
      try {
        const { path, git } = await session.enter(name, context.signal);
        const message = `The session now works in ${path}${git ? `, on the branch ${git.branch}` : ""}.`;
        return {
          response: {
            success: true,
            worktreePath: path,
            ...(git ? { worktreeBranch: git.branch } : {}),
            message,
          },
          text: message,
        };
      } catch (error) {
        return failedOutcome(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

const exitInput = z.object({
  action: z.enum(["keep", "remove"]).describe("keep: leave it on disk. remove: delete it and its branch."),
  discard_changes: z
    .boolean()
    .optional()
    .describe(
      "With remove: also when it has changes or commits that would be lost. Only when the user agreed to that.",
    ),
});

export function exitWorktreeTool(session: WorktreeSession): Tool<z.infer<typeof exitInput>> {
  return {
    name: "ExitWorktree",
    description: "Leaves the worktree that EnterWorktree made and goes back to where the session was before.",
    inputSchema: zodInput(exitInput),
    readOnly: false,
    permissionNeed: ({ action, discard_changes }) => {
      const path = session.current?.path;
      if (action === "keep" || !path) return { kind: "none" };
      return {
        kind: "other",
        summary: `Remove the worktree ${path}${discard_changes ? ", with uncommitted changes and commits of its own" : ""}`,
      };
    },
    async run({ action, discard_changes }, context) {
      const worktree = session.current;
      if (!worktree) return failedOutcome("The session is in no worktree that EnterWorktree has made.");
      try {
        let message: string;
        if (action === "keep") {
          session.leave();
          message = `Left ${worktree.path}, which stays, and went back to ${worktree.cwdBefore}.`;
        } else {
          const lost = await session.changes(worktree, context.signal);
          if (lost && lost.files + lost.commits > 0 && !discard_changes) return failedOutcome(refusal(lost));
          message = await session.remove(worktree, context.signal);
        }
        return {
          response: {
            success: true,
            action,
            originalCwd: worktree.cwdBefore,
            worktreePath: worktree.path,
            ...(worktree.git ? { worktreeBranch: worktree.git.branch } : {}),
            message,
          },
          text: message,
        };
      } catch (error) {
        return failedOutcome(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function refusal({ files, commits }: WorktreeChanges): string {
  const parts = [
    ...(files > 0 ? [`${files} uncommitted ${files === 1 ? "file" : "files"}`] : []),
    ...(commits > 0 ? [`${commits} ${commits === 1 ? "commit" : "commits"} of its own`] : []),
  ];
  return `The worktree has ${parts.join(" and ")}, which would be lost. Ask the user; then use action "keep", or discard_changes: true.`;
}
