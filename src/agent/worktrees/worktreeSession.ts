import { randomUUID } from "node:crypto";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import type { AgentHost } from "../agentModule.ts";
import { type GitPlace, git } from "./git.ts";

/** The worktree that the session is in. */
export interface EnteredWorktree {
  name: string;
  /** Absolute. */
  path: string;
  /** Where the session was before. */
  cwdBefore: string;
  /** Absent where a WorktreeCreate hook made it: how it is removed is then a hook's matter, too (X7, X8). */
  git?: { branch: string; startCommit: string; repository: string };
}

export interface WorktreeChanges {
  /** Files that are changed or new and not committed. */
  files: number;
  /** Commits that are in no other branch. */
  commits: number;
}

/** Brings a session into a worktree and out of it. Errors are for people. WAVE_PROJECT_DIR is not moved by it (H17.2). */
export class WorktreeSession {
  private entered: EnteredWorktree | undefined;

  constructor(private readonly host: AgentHost) {}

  get current(): EnteredWorktree | undefined {
    return this.entered;
  }

  async enter(wantedName: string | undefined, signal: AbortSignal): Promise<EnteredWorktree> {
    if (this.entered) {
      throw new Error(
        `The session is in the worktree ${this.entered.path} already. Leave it with ExitWorktree first.`,
      );
    }
    const name = wantedName ?? `wave-${randomUUID().slice(0, 8)}`;
    const why = whyNotAName(name);
    if (why) throw new Error(why);
    const hooks = await this.host.runHooks({ name: "WorktreeCreate", worktreeName: name }, signal);
    signal.throwIfAborted();
    const cwdBefore = this.host.place.cwd;
    const worktree = hooks.matched
      ? { name, path: await hookMadePath(hooks.worktreePath, cwdBefore), cwdBefore }
      : { name, cwdBefore, ...(await this.create(name, signal)) };
    this.entered = worktree;
    this.host.place.addRoot(worktree.path);
    this.host.place.setCwd(worktree.path);
    return worktree;
  }

  /** What would be lost with the worktree; undefined where that is not known (made by a hook, or gone). */
  async changes(worktree: EnteredWorktree, signal: AbortSignal): Promise<WorktreeChanges | undefined> {
    if (!worktree.git || !(await isDirectory(worktree.path))) return undefined;
    const place = this.gitPlace(worktree.path, signal);
    const status = await git(place, "status", "--porcelain", "-z", "--untracked-files=all");
    const commits = await git(place, "rev-list", "--count", "HEAD", `^${worktree.git.startCommit}`);
    return {
      files: status.split("\0").filter((entry) => entry !== "").length,
      commits: Number(commits.trim()),
    };
  }

  /** Back to where the session was; the worktree stays. */
  leave(): void {
    if (!this.entered) return;
    const { path, cwdBefore } = this.entered;
    this.entered = undefined;
    this.host.place.removeRoot(path);
    this.host.place.setCwd(cwdBefore);
  }

  /** Leaves and removes it with everything that is in it. Says what happened, in one line. */
  async remove(worktree: EnteredWorktree, signal: AbortSignal): Promise<string> {
    this.leave();
    if (!worktree.git) {
      const { matched } = await this.host.runHooks(
        { name: "WorktreeRemove", worktreePath: worktree.path },
        signal,
      );
      return matched
        ? `Left ${worktree.path}. Its removal was handed to the WorktreeRemove hooks.`
        : `Left ${worktree.path}. It was made by a hook and no WorktreeRemove hook is configured, so it stays.`;
    }
    const { branch, repository } = worktree.git;
    const place = this.gitPlace(repository, signal);
    if (await isDirectory(worktree.path)) await git(place, "worktree", "remove", "--force", worktree.path);
    else await git(place, "worktree", "prune");
    // The user may have renamed or deleted it.
    const branchStays = await git(place, "branch", "-D", branch).then(
      () => "",
      (error: unknown) =>
        ` Its branch was not deleted: ${error instanceof Error ? error.message : String(error)}`,
    );
    return `Removed ${worktree.path} and went back to ${worktree.cwdBefore}.${branchStays}`;
  }

  private async create(name: string, signal: AbortSignal): Promise<Pick<EnteredWorktree, "path" | "git">> {
    const here = this.gitPlace(this.host.place.cwd, signal);
    const repository = (
      await git(here, "rev-parse", "--show-toplevel").catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(
          `No worktree can be made here: ${reason}. Outside of git, WorktreeCreate and WorktreeRemove hooks can provide one.`,
        );
      })
    ).trim();
    const startCommit = (
      await git(here, "rev-parse", "HEAD").catch(() => {
        throw new Error("No worktree can be made here: the repository has no commit yet.");
      })
    ).trim();
    const folder = join(repository, ".wave", "worktrees");
    const path = join(folder, name);
    await mkdir(folder, { recursive: true });
    // So that the worktrees do not show up as new files of the repository that they stand in.
    await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(ignoreExisting);
    const branch = `worktree-${name}`;
    await git(this.gitPlace(repository, signal), "worktree", "add", "-b", branch, path, startCommit);
    return { path, git: { branch, startCommit, repository } };
  }

  private gitPlace(cwd: string, signal: AbortSignal): GitPlace {
    return { cwd, env: this.host.env, signal };
  }
}

async function hookMadePath(stdout: string | undefined, cwd: string): Promise<string> {
  if (stdout === undefined) {
    throw new Error("The worktree was not created: no WorktreeCreate hook succeeded and printed its path.");
  }
  const path = isAbsolute(stdout) ? stdout : resolve(cwd, stdout);
  if (!(await isDirectory(path))) {
    throw new Error(
      `The worktree was not created: a WorktreeCreate hook printed ${JSON.stringify(stdout)}, and there is no such folder.`,
    );
  }
  return path;
}

function whyNotAName(name: string): string | undefined {
  if (/^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/.test(name) && !name.includes("..") && !/\.(lock)?$/.test(name))
    return undefined;
  return `${JSON.stringify(name)} cannot name a worktree: use letters, digits, ".", "_" and "-", at most 64, beginning with a letter or digit.`;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error;
}
