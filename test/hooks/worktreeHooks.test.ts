import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HookSetup } from "../support/hookSetup.ts";

describe("X7 WorktreeCreate hooks", () => {
  let setup: HookSetup;
  beforeEach(async () => {
    setup = await HookSetup.create();
  });
  afterEach(() => setup.dispose());

  const create = (...commands: string[]) =>
    setup.fire(commands.map((command) => ({ event: "WorktreeCreate" as const, command })));

  it("give the path by their last line, and no further hook runs", async () => {
    const result = await create(
      "echo Preparing; printf '\\033[32m/w/feature\\033[0m\\n\\n'",
      "echo ran > never",
    );
    expect(result.worktreePath).toBe("/w/feature");
    expect(result.block).toBeUndefined();
    await expect(readFile(join(setup.folder, "never"))).rejects.toThrow();
  });

  it("may give it relative to where they ran", async () => {
    expect((await create("echo trees/one")).worktreePath).toBe(join(setup.folder, "trees", "one"));
  });

  it("one after another get the chance; the failures before a success are still shown", async () => {
    const result = await create(
      "echo no disk >&2; exit 1",
      "true",
      "echo denied >&2; exit 2",
      "echo /w/three",
    );
    expect(result.worktreePath).toBe("/w/three");
    expect(result.notices.map(({ text }) => text)).toEqual([expect.stringContaining("no disk"), "denied"]);
  });

  it("that all fail or stay silent refuse the creation, with every reason", async () => {
    const result = await create(
      "echo no disk >&2; exit 1",
      "true",
      "echo denied >&2; exit 2",
      "echo /x; kill -KILL $$",
    );
    expect(result.worktreePath).toBeUndefined();
    expect(result.block?.text.split("\n")).toEqual([
      "No hook created the worktree.",
      'WorktreeCreate hook "echo no disk >&2; exit 1" failed with exit code 1: no disk',
      'WorktreeCreate hook "true" printed no path',
      'WorktreeCreate hook "echo denied >&2; exit 2" failed with exit code 2: denied',
      'WorktreeCreate hook "echo /x; kill -KILL $$" was killed by SIGKILL',
    ]);
    expect(result.notices).toEqual([]);
  });

  it("X8 a failing WorktreeRemove hook is only logged", async () => {
    const result = await setup.fire([{ event: "WorktreeRemove", command: "echo busy >&2; exit 2" }]);
    expect(result).toMatchObject({ matched: true, notices: [], modelMessages: [] });
    expect(result.block).toBeUndefined();
    expect(setup.logger.at("info")).toEqual([expect.stringContaining("busy")]);
  });
});
