import { execFileSync } from "node:child_process";
import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { HookManager } from "../../src/hooks/hookManager.ts";
import { ProcessCommandRunner } from "../../src/process/processCommandRunner.ts";
import { AgentWorld, hooksFor, recordTo, toolBlocks } from "../support/agentWorld.ts";
import { FixedHooks, hook } from "../support/hookSetup.ts";
import type { ScriptedAnswer } from "../support/modelService.ts";
import { tempFolder } from "../support/tempFolder.ts";

const call = (name: string, input: Record<string, unknown> = {}): ScriptedAnswer => ({
  toolCalls: [{ name, arguments: input }],
});
const bash = (command: string): ScriptedAnswer => call("Bash", { command });
const enter = call("EnterWorktree", { name: "feature" });
const exit = (action: string, more: Record<string, unknown> = {}): ScriptedAnswer =>
  call("ExitWorktree", { action, ...more });
const done: ScriptedAnswer = { text: "Done." };

function repository(world: AgentWorld): (...args: string[]) => string {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", ...args], {
      cwd: world.project,
      encoding: "utf8",
      env: { PATH: process.env.PATH, HOME: world.home },
    });
  if (!world.has(".git")) git("init", "-q", "-b", "main");
  world.write("a.txt", "one\n");
  git("add", ".");
  git("commit", "-q", "-m", "first");
  return git;
}

/** cwd and WAVE_PROJECT_DIR of each hook run. */
const whereTo = (file: string): string =>
  `echo "{\\"cwd\\":\\"$(pwd -P)\\",\\"project\\":\\"$WAVE_PROJECT_DIR\\"}" >> "$WAVE_PROJECT_DIR/${file}"`;

describe("where hooks run", { timeout: 60_000 }, () => {
  it("H17.1 in the directory that the shell went to, while WAVE_PROJECT_DIR stays", async () => {
    const world = await AgentWorld.open([bash("mkdir -p sub/deep && cd sub"), bash("true"), done]);
    world.settings({ hooks: hooksFor("PreToolUse", whereTo("where.jsonl"), recordTo("input.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const sub = join(world.project, "sub");
    expect(world.records("where.jsonl")).toEqual([
      { cwd: world.project, project: world.project },
      { cwd: sub, project: world.project },
    ]);
    expect(world.records("input.jsonl").map(({ cwd }) => cwd)).toEqual([world.project, sub]);
  });

  it("H17.2 in the worktree, while WAVE_PROJECT_DIR stays", async () => {
    const world = await AgentWorld.open([enter, bash("pwd -P"), exit("remove"), bash("pwd -P"), done]);
    repository(world);
    world.settings({ hooks: hooksFor("PreToolUse", { matcher: "Bash", command: whereTo("where.jsonl") }) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const path = join(world.project, ".wave/worktrees/feature");
    expect(world.records("where.jsonl")).toEqual([
      { cwd: path, project: world.project },
      { cwd: world.project, project: world.project },
    ]);
    expect(toolBlocks(agent.messages).map(({ result }) => result)).toEqual([
      `The session now works in ${path}, on the branch worktree-feature.`,
      path,
      `Removed ${path} and went back to ${world.project}.`,
      world.project,
    ]);
    expect(agent.workdir).toBe(world.project);
  });

  it("H17.3 in WAVE_PROJECT_DIR when the worktree was deleted by hand, and the session can leave it", async () => {
    const world = await AgentWorld.open([enter, done, bash("pwd -P"), exit("remove"), done]);
    const git = repository(world);
    world.settings({ hooks: hooksFor("PreToolUse", { matcher: "Bash", command: whereTo("where.jsonl") }) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    rmSync(agent.cwd, { recursive: true });
    await agent.sendMessage("Go on");
    expect(world.records("where.jsonl")).toEqual([{ cwd: world.project, project: world.project }]);
    expect(toolBlocks(agent.messages).at(-1)).toMatchObject({ name: "ExitWorktree", success: true });
    expect(git("worktree", "list").trim().split("\n")).toHaveLength(1);
    expect(git("branch", "--list", "worktree-*")).toBe("");
  });

  it("H17.4 without a session root, WAVE_PROJECT_DIR is the directory in which the hook starts", async () => {
    const folder = tempFolder();
    const hooks = new FixedHooks();
    const runner = new ProcessCommandRunner({ env: process.env, home: folder });
    const manager = new HookManager({
      workdir: folder,
      configuration: hooks,
      runner,
      env: { PATH: process.env.PATH, HOME: folder },
    });
    hooks.set([hook({ event: "WorktreeCreate", command: 'mkdir w && echo "$WAVE_PROJECT_DIR/w"' })]);
    const result = await manager.fire(
      { name: "WorktreeCreate", worktreeName: "w" },
      { sessionId: "s", transcriptPath: join(folder, "t.json"), cwd: folder, permissionMode: "default" },
    );
    expect(result.worktreePath).toBe(join(folder, "w"));
    await runner.dispose();
  });
});

describe("worktrees of git", { timeout: 60_000 }, () => {
  it("are a second working copy: changes there do not touch the first, and do not show up in its status", async () => {
    const world = await AgentWorld.open([
      enter,
      call("Write", { file_path: "b.txt", content: "new\n" }),
      exit("keep"),
      done,
    ]);
    const git = repository(world);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const path = join(world.project, ".wave/worktrees/feature");
    expect(existsSync(join(path, "b.txt"))).toBe(true);
    expect(world.has("b.txt")).toBe(false);
    expect(git("status", "--porcelain")).toBe("");
    expect(agent.cwd).toBe(world.project);
  });

  it("with changes or commits are only removed when that was agreed to", async () => {
    const world = await AgentWorld.open([
      enter,
      bash(
        "echo x > new.txt; echo y >> a.txt; git add a.txt; git -c user.name=T -c user.email=t@example.org commit -qm more",
      ),
      exit("remove"),
      exit("remove", { discard_changes: true }),
      done,
    ]);
    const git = repository(world);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const [, , refused, removed] = toolBlocks(agent.messages);
    expect(refused?.error).toContain("1 uncommitted file and 1 commit of its own, which would be lost");
    expect(removed?.success).toBe(true);
    expect(existsSync(join(world.project, ".wave/worktrees/feature"))).toBe(false);
    expect(git("branch", "--list", "worktree-*")).toBe("");
  });

  it("are refused where they cannot be: outside of git, without a commit, twice, under a bad name", async () => {
    const world = await AgentWorld.open([enter, done]);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages)[0]?.error).toMatch(
      /^No worktree can be made here: .*not a git repository/,
    );

    execFileSync("git", ["init", "-q", "-b", "main"], { cwd: world.project });
    world.service.script([enter, done]);
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages).at(-1)?.error).toContain("the repository has no commit yet");

    repository(world);
    world.service.script([call("EnterWorktree", { name: "../x" }), enter, enter, done]);
    await agent.sendMessage("Go");
    const [bad, , twice] = toolBlocks(agent.messages).slice(-3);
    expect(bad?.error).toContain("cannot name a worktree");
    expect(twice?.error).toContain("Leave it with ExitWorktree first");
  });

  it("a redirected git (GIT_DIR) does not send them elsewhere", async () => {
    const world = await AgentWorld.open([enter, done]);
    repository(world);
    world.env.GIT_DIR = join(tempFolder(), "other.git");
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages)[0]?.success).toBe(true);
  });

  it("stay when the session ends, which goes back to where it was", async () => {
    const world = await AgentWorld.open([enter, done]);
    repository(world);
    const agent = await world.agent();
    await agent.sendMessage("Go");
    await agent.clearMessages();
    expect(agent.cwd).toBe(world.project);
    expect(existsSync(join(world.project, ".wave/worktrees/feature/a.txt"))).toBe(true);
  });
});

describe("worktrees of hooks", { timeout: 60_000 }, () => {
  it("X7 hooks take over the creation, and stdout gives the path", async () => {
    const world = await AgentWorld.open([enter, bash("pwd -P"), done]);
    const elsewhere = tempFolder();
    world.settings({
      hooks: hooksFor(
        "WorktreeCreate",
        "echo broken >&2; exit 1",
        `${recordTo("create.jsonl")}; mkdir ${elsewhere}/made && echo ${elsewhere}/made`,
        recordTo("never.jsonl"),
      ),
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages)[1]?.result).toBe(realpathSync(join(elsewhere, "made")));
    expect(world.records("create.jsonl")).toMatchObject([
      { hook_event_name: "WorktreeCreate", name: "feature" },
    ]);
    expect(world.has("never.jsonl")).toBe(false);
  });

  it.each([
    ["fails", "echo broken >&2; exit 2"],
    ["prints nothing", "exit 0"],
  ])("X7 the creation is refused where every hook %s, also in a git repository", async (_, command) => {
    const world = await AgentWorld.open([enter, done]);
    repository(world);
    world.settings({ hooks: hooksFor("WorktreeCreate", command, command) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages)[0]?.error).toContain("The worktree was not created");
    expect(world.has(".wave/worktrees")).toBe(false);
    expect(agent.cwd).toBe(world.project);
  });

  it("X8 hooks take over the removal: git removes nothing, and a failure is only logged", async () => {
    const world = await AgentWorld.open([enter, exit("remove"), done]);
    repository(world);
    world.write(
      "make.sh",
      'git worktree add -q -b own "$WAVE_PROJECT_DIR/../own-$$" >&2 && cd "$WAVE_PROJECT_DIR/../own-$$" && pwd -P',
    );
    world.settings({
      hooks: {
        ...hooksFor("WorktreeCreate", "sh make.sh"),
        ...hooksFor("WorktreeRemove", `${recordTo("remove.jsonl")}; echo "cannot remove" >&2; exit 1`),
      },
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const [input] = world.records("remove.jsonl");
    const path = input?.worktree_path as string;
    expect(input).toMatchObject({ hook_event_name: "WorktreeRemove" });
    expect(existsSync(join(path, "a.txt"))).toBe(true);
    expect(toolBlocks(agent.messages)[1]).toMatchObject({ name: "ExitWorktree", success: true });
    expect(JSON.stringify(agent.messages)).not.toContain("cannot remove");
    expect(world.logger.lines.map(({ message }) => message).join()).toContain("cannot remove");
    rmSync(path, { recursive: true });
  });
});
