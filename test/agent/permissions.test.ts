import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PermissionQuestion } from "../../src/agent/agentOptions.ts";
import type { PermissionMode } from "../../src/hooks/hookEvent.ts";
import { AgentWorld, hooksFor, notices, textIn, toolBlocks } from "../support/agentWorld.ts";
import type { ScriptedAnswer } from "../support/modelService.ts";
import { tempFolder } from "../support/tempFolder.ts";

const done: ScriptedAnswer = { text: "Done." };
const write = (file_path: string): ScriptedAnswer => ({
  toolCalls: [{ name: "Write", arguments: { file_path, content: "{}\n" } }],
});
const bash = (command: string): ScriptedAnswer => ({ toolCalls: [{ name: "Bash", arguments: { command } }] });

async function run(
  world: AgentWorld,
  answers: readonly ScriptedAnswer[],
  permissionMode: PermissionMode,
  answer: "allow" | "deny" = "deny",
) {
  world.service.script([...answers, done]);
  const asked: PermissionQuestion[] = [];
  const agent = await world.agent({
    permissionMode,
    canUseTool: (question) => {
      asked.push(question);
      return Promise.resolve({ behavior: answer });
    },
  });
  await agent.sendMessage("Go");
  return { agent, asked, results: toolBlocks(agent.messages).map(({ success }) => success) };
}

describe("permission modes", () => {
  it("default asks before a file is written and a command run, and shows what would happen", async () => {
    const world = await AgentWorld.open();
    world.write("a.txt", "one\n");
    const { asked, results } = await run(
      world,
      [
        { toolCalls: [{ name: "Read", arguments: { file_path: "a.txt" } }] },
        {
          toolCalls: [
            { name: "Edit", arguments: { file_path: "a.txt", old_string: "one", new_string: "two" } },
          ],
        },
        bash("touch b"),
      ],
      "default",
      "allow",
    );
    expect(asked.map(({ toolName, summary }) => [toolName, summary])).toEqual([
      ["Edit", join(world.project, "a.txt")],
      ["Bash", "touch b"],
    ]);
    expect(asked[0]?.diff).toContain("-one\n+two");
    expect(results).toEqual([true, true, true]);
  });

  it("acceptEdits writes in the project without a question, asks for commands and for files outside", async () => {
    const world = await AgentWorld.open();
    const outside = tempFolder();
    const { asked, results } = await run(
      world,
      [write("a.txt"), write(join(outside, "b.txt")), bash("true")],
      "acceptEdits",
    );
    expect(asked.map(({ summary }) => summary)).toEqual([join(outside, "b.txt"), "true"]);
    expect(asked[0]?.reason).toContain("outside");
    expect(results).toEqual([true, false, false]);
    expect(existsSync(join(outside, "b.txt"))).toBe(false);
  });

  it("plan writes nothing, dontAsk asks nobody, bypassPermissions asks for nothing", async () => {
    const world = await AgentWorld.open();
    const plan = await run(world, [write("a.txt")], "plan", "allow");
    expect([plan.asked, plan.results]).toEqual([[], [false]]);
    const dontAsk = await run(world, [write("a.txt")], "dontAsk", "allow");
    expect([dontAsk.asked, dontAsk.results]).toEqual([[], [false]]);
    const bypass = await run(
      world,
      [write("a.txt"), bash("true"), write(".wave/settings.json")],
      "bypassPermissions",
    );
    expect([bypass.asked, bypass.results]).toEqual([[], [true, true, true]]);
  });

  it.each([
    ".wave/settings.json",
    ".wave/settings.local.json",
    "~/.wave/settings.json",
    "~/.wave/plugins/p/hooks/hooks.json",
    ".github/hooks/guard.json",
    "~/.copilot/hooks/guard.json",
    ".git/hooks/pre-commit",
    "link/settings.json",
    "linked.json",
    "shared/target.json",
  ])("writing %s is asked in acceptEdits, too", async (file) => {
    const world = await AgentWorld.open();
    mkdirSync(join(world.project, ".wave"), { recursive: true });
    mkdirSync(join(world.project, "shared"));
    symlinkSync(join(world.project, ".wave"), join(world.project, "link"));
    symlinkSync(join(world.project, ".wave/settings.json"), join(world.project, "linked.json"));
    if (file.startsWith("shared")) {
      symlinkSync(
        join(world.project, "shared/target.json"),
        join(world.project, ".wave/settings.local.json"),
      );
      writeFileSync(join(world.project, "shared/target.json"), "{}");
    }
    const { asked, results } = await run(world, [write(file)], "acceptEdits");
    expect(asked).toHaveLength(1);
    expect(asked[0]?.reason).toBeDefined();
    expect(asked[0]?.suggestedRule).toBeUndefined();
    expect(results).toEqual([false]);
  });

  it("without somebody to ask, what would be asked is refused, and the turn goes on", async () => {
    const world = await AgentWorld.open([bash("touch made"), done]);
    const agent = await world.agent({ permissionMode: "default" });
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages)[0]?.success).toBe(false);
    expect(textIn(agent.messages.at(-1))).toBe("Done.");
  });

  it("the user's words reach the model; a refusal can end the turn; a question that fails is a refusal", async () => {
    const world = await AgentWorld.open([bash("one"), bash("two"), bash("three"), done]);
    const answers = [
      () => Promise.resolve({ behavior: "deny" as const, message: "use make" }),
      () => Promise.reject(new Error("no window")),
      () => Promise.resolve({ behavior: "deny" as const, interrupt: true }),
    ];
    const agent = await world.agent({
      permissionMode: "default",
      canUseTool: () => answers.shift()?.() ?? Promise.resolve({ behavior: "deny" }),
    });
    await agent.sendMessage("Go");
    expect(toolBlocks(agent.messages)[0]?.error).toContain("use make");
    expect(toolBlocks(agent.messages)).toHaveLength(3);
    expect(world.service.requests).toHaveLength(3);
    expect(notices(agent.messages, "info")).toEqual(["Interrupted."]);
  });

  it("an answer's rule counts for the rest of the session", async () => {
    const world = await AgentWorld.open([bash("echo one"), bash("echo one"), bash("echo two"), done]);
    const asked: (string | undefined)[] = [];
    const agent = await world.agent({
      permissionMode: "default",
      canUseTool: ({ suggestedRule }) => {
        asked.push(suggestedRule);
        return Promise.resolve({
          behavior: "allow",
          ...(suggestedRule === undefined ? {} : { rule: suggestedRule }),
        });
      },
    });
    await agent.sendMessage("Go");
    expect(asked).toEqual(["Bash(echo one)", "Bash(echo two)"]);
  });
});

describe("permission rules of settings files", () => {
  it("allow, ask and deny as in Claude Code, also by paths and for MCP servers' names", async () => {
    const world = await AgentWorld.open();
    world.settings({
      permissions: {
        allow: ["Bash(echo *)", "Edit(/src/**)", "mcp__files__*"],
        ask: ["Bash(echo secret*)"],
        deny: ["Read(./secrets/**)", "Write(/src/generated/**)"],
      },
    });
    world.write("secrets/key", "k");
    const { asked, results } = await run(
      world,
      [
        bash("echo fine"),
        bash("echo secret"),
        write("src/a.ts"),
        write("src/generated/b.ts"),
        { toolCalls: [{ name: "Read", arguments: { file_path: "secrets/key" } }] },
        write("other.ts"),
      ],
      "default",
    );
    expect(results).toEqual([true, false, true, false, false, false]);
    expect(asked.map(({ summary }) => summary)).toEqual(["echo secret", join(world.project, "other.ts")]);
  });

  it("a deny rule beats every hook, and holds in bypassPermissions", async () => {
    const world = await AgentWorld.open();
    world.settings({ permissions: { deny: ["Bash(touch *)"] } });
    world.write(
      ".github/hooks/allow.json",
      JSON.stringify({
        version: 1,
        hooks: { preToolUse: [{ type: "command", bash: `echo '{"permissionDecision":"allow"}'` }] },
      }),
    );
    const { results } = await run(world, [bash("touch made")], "bypassPermissions");
    expect(results).toEqual([false]);
    expect(world.has("made")).toBe(false);
  });

  it("a link does not lead out of what is allowed, nor into what is refused", async () => {
    const world = await AgentWorld.open();
    const outside = tempFolder();
    writeFileSync(join(outside, "private"), "p");
    world.write("secrets/key", "k");
    symlinkSync(outside, join(world.project, "out"));
    symlinkSync(join(world.project, "secrets/key"), join(world.project, "harmless"));
    world.settings({ permissions: { deny: ["Read(./secrets/**)"] } });
    const { asked, results } = await run(
      world,
      ["out/private", "harmless"].map((file_path) => ({
        toolCalls: [{ name: "Read", arguments: { file_path } }],
      })),
      "acceptEdits",
    );
    expect(asked).toHaveLength(1);
    expect(results).toEqual([false, false]);
  });

  it("a link is no way round a rule in the shell: not to what is refused, nor to the settings", async () => {
    const world = await AgentWorld.open();
    world.write("secrets/key", "k");
    symlinkSync(join(world.project, "secrets/key"), join(world.project, "harmless"));
    world.settings({ permissions: { allow: ["Bash"], deny: ["Read(./secrets/**)"] } });
    symlinkSync(join(world.project, ".wave/settings.json"), join(world.project, "notes"));
    const { asked, results } = await run(
      world,
      ["cat harmless", "echo '{}' > notes", "echo plain"].map(bash),
      "acceptEdits",
    );
    expect(asked.map(({ summary }) => summary)).toEqual(["echo '{}' > notes"]);
    expect(results).toEqual([false, false, true]);
  });

  it("Grep and Glob leave out what may not be read", async () => {
    const world = await AgentWorld.open();
    world.write("secrets/key.txt", "needle one\n");
    world.write("open.txt", "needle two\n");
    symlinkSync(join(world.project, "secrets"), join(world.project, "link"));
    world.settings({ permissions: { deny: ["Read(./secrets/**)"] } });
    const { agent } = await run(
      world,
      [
        {
          toolCalls: [
            { name: "Grep", arguments: { pattern: "needle", output_mode: "content" } },
            { name: "Glob", arguments: { pattern: "**/*.txt" } },
            { name: "Grep", arguments: { pattern: "needle", path: "link", output_mode: "content" } },
          ],
        },
      ],
      "default",
    );
    const [grep, glob, linked] = toolBlocks(agent.messages);
    expect(grep?.result).toBe("open.txt:1:needle two");
    expect(glob?.result).toBe(join(world.project, "open.txt"));
    expect(linked?.result).not.toContain("needle one");
  });

  it("a bad hook in the file switches no rule off; a file whose rules are unknown lets nothing through unasked", async () => {
    const world = await AgentWorld.open();
    world.settings({ permissions: { deny: ["Bash(touch *)"] }, hooks: { Stop: "nonsense" } as never });
    const bad = await run(world, [bash("touch made")], "bypassPermissions");
    expect(bad.results).toEqual([false]);
    world.write(".wave/settings.json", '{ "permissions": { "deny": ["Bash(touch *)"] ');
    const unknown = await run(world, [bash("touch made")], "bypassPermissions");
    expect(unknown.asked[0]?.reason).toContain("cannot be read");
    expect(world.has("made")).toBe(false);
  });

  it("E18 no hook answers for the user where a command names the settings of hooks", async () => {
    const asked: string[] = [];
    const world = await AgentWorld.open([bash("echo '{}' > .wave/settings.json"), { text: "Done." }]);
    world.write(
      ".github/hooks/allow.json",
      JSON.stringify({
        version: 1,
        hooks: {
          preToolUse: [{ type: "command", bash: `echo '{"permissionDecision":"allow"}'` }],
          permissionRequest: [{ type: "command", bash: `echo '{"behavior":"allow"}'` }],
        },
      }),
    );
    const agent = await world.agent({
      permissionMode: "acceptEdits",
      canUseTool: async ({ summary, suggestedRule }) => {
        asked.push(`${summary} ${suggestedRule ?? "no rule"}`);
        return { behavior: "deny" };
      },
    });
    await agent.sendMessage("go");
    expect(asked).toEqual(["echo '{}' > .wave/settings.json no rule"]);
    expect(world.has(".wave/settings.json")).toBe(false);
  });

  it("a PreToolUse hook's block comes before any question", async () => {
    const world = await AgentWorld.open();
    world.settings({ hooks: hooksFor("PreToolUse", "exit 2") });
    const { asked } = await run(world, [bash("true")], "default");
    expect(asked).toEqual([]);
  });

  it("defaultMode of the settings is the mode at the start; a project cannot ask for bypassPermissions", async () => {
    const world = await AgentWorld.open();
    world.settings({ permissions: { defaultMode: "acceptEdits" } });
    expect((await world.agent({ permissionMode: undefined } as never)).permissionMode).toBe("acceptEdits");
    world.settings({ permissions: { defaultMode: "bypassPermissions" } });
    expect((await world.agent({ permissionMode: undefined } as never)).permissionMode).toBe("default");
  });
});
