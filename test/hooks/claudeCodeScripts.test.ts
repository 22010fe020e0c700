import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HookSetup, sampleEvents } from "../support/hookSetup.ts";

const scripts = resolve(import.meta.dirname, "../fixtures/claude-hooks");

function has(program: string): boolean {
  try {
    execFileSync("/bin/sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The scripts are as their authors wrote them for Claude Code: only CLAUDE_* names, no change for us. */
describe("hook scripts written for Claude Code", () => {
  let setup: HookSetup;
  beforeEach(async () => {
    setup = await HookSetup.create();
  });
  afterEach(() => setup.dispose());

  const script = (name: string) => `"${join(scripts, name)}"`;
  const tool = (toolName: string, toolInput: unknown) => ({
    ...sampleEvents.PreToolUse,
    toolName,
    toolInput,
  });

  it("X1 H11.2 Python: a guard of secrets files refuses and informs", async () => {
    const hooks = [
      { event: "PreToolUse", matcher: "Write|Edit|MultiEdit", command: script("guard-dotenv.py") },
    ] as const;
    const refused = await setup.fire(hooks, tool("Write", { file_path: "/p/.env.local", content: "K=1" }));
    expect(refused.block?.text).toBe("PreToolUse:Write hook error: Write must not touch .env.local");
    const informed = await setup.fire(hooks, tool("Edit", { file_path: "/p/a.ts" }));
    expect(informed.block).toBeUndefined();
    expect(informed.modelMessages).toEqual(["<system-reminder>\nchecked /p/a.ts\n</system-reminder>"]);
  });

  it.skipIf(!has("jq"))("H4.1 bash with jq: the commands that run are logged", async () => {
    const hooks = [{ event: "PreToolUse", matcher: "Bash", command: script("log-command.sh") }] as const;
    const first = await setup.fire(hooks, tool("Bash", { command: 'echo "a b"', description: "Say it" }));
    const second = await setup.fire(hooks, tool("Bash", { command: "ls" }));
    expect([first.notices, second.notices]).toEqual([[], []]);
    expect(await readFile(join(setup.folder, "bash-command-log.txt"), "utf8")).toBe(
      'echo "a b" - Say it\nls - No description\n',
    );
  });

  it("H23.1 H24.1 H25.2 bash: a loop goes on by decision and reason, and ends itself", async () => {
    const hooks = [{ event: "Stop", command: script("loop.sh") }] as const;
    const first = await setup.fire(hooks);
    expect(first.block?.text).toBe("Round 1: go on.");
    expect(first.notices).toEqual([{ level: "info", text: "🔄 round 1" }]);
    const second = await setup.fire(hooks, { ...sampleEvents.Stop, stopHookActive: true });
    expect(second.block).toBeUndefined();
  });

  it("H11.4 sh: what a prompt hook prints is context", async () => {
    const result = await setup.fire([{ event: "UserPromptSubmit", command: script("prompt-context.sh") }]);
    expect(result.modelMessages).toEqual(["<system-reminder>\nBranch: main\n</system-reminder>"]);
  });

  it("the one-liners of its documentation work as they stand", async () => {
    const oneLiner = `python3 -c "import json, sys; p=json.load(sys.stdin).get('tool_input',{}).get('file_path',''); sys.exit(2 if any(x in p for x in ['.env', 'package-lock.json', '.git/']) else 0)"`;
    const hooks = [{ event: "PreToolUse", matcher: "Edit|Write", command: oneLiner }] as const;
    const refused = await setup.fire(hooks, tool("Write", { file_path: "/p/package-lock.json" }));
    expect(refused.block?.text).toMatch(/^PreToolUse:Write hook error: PreToolUse hook "python3 -c/);
    expect((await setup.fire(hooks, tool("Write", { file_path: "/p/a.ts" }))).block).toBeUndefined();
  });
});
