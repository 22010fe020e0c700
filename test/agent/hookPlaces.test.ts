import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentWorld, hooksFor, notices, recordTo } from "../support/agentWorld.ts";
import { tempFolder } from "../support/tempFolder.ts";

const where = `printf '%s|%s\\n' "$(pwd)" "$WAVE_PROJECT_DIR" >> "$WAVE_PROJECT_DIR/where"`;

describe("where hooks run and come from", () => {
  it("H17.1 the hook's directory follows cd, WAVE_PROJECT_DIR does not", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "mkdir -p packages/code && cd packages/code" } }] },
      { toolCalls: [{ name: "Bash", arguments: { command: "pwd" } }] },
      { text: "Done." },
    ]);
    world.settings({ hooks: hooksFor("PreToolUse", where, recordTo("pre.jsonl")) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    const moved = join(world.project, "packages/code");
    expect(world.read("where")).toBe(`${world.project}|${world.project}\n${moved}|${world.project}\n`);
    expect(world.records("pre.jsonl").map((record) => record.cwd)).toEqual([world.project, moved]);
    expect(agent.cwd).toBe(moved);
    expect(agent.workdir).toBe(world.project);
  });

  it("H17.3 where the current directory is gone, the hook starts in WAVE_PROJECT_DIR", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "mkdir gone && cd gone" } }] },
      { text: "Done." },
    ]);
    world.settings({ hooks: hooksFor("Stop", where) });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    rmSync(join(world.project, "gone"), { recursive: true });
    await agent.sendMessage("Again");
    expect(world.read("where").split("\n")[1]).toBe(`${world.project}|${world.project}`);
    expect(notices(agent.messages)).toEqual([]);
  });

  it("H18.1 hooks given to Agent.create are configured", async () => {
    const world = await AgentWorld.open();
    const agent = await world.agent({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "echo done" }] }] },
    });
    expect(agent.hookManager.hasHooks("Stop")).toBe(true);
    expect(agent.hookManager.hasHooks("PreToolUse")).toBe(false);
  });

  it("H18.2 without them there are none", async () => {
    const world = await AgentWorld.open();
    const agent = await world.agent();
    expect(agent.hookManager.hasHooks("Stop")).toBe(false);
  });

  it("H18.3 hooks given in code, of plugins, of the user, the project and local ones all run, in this order", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    const plugin = tempFolder("wave-plugin-");
    mkdirSync(join(plugin, "hooks"));
    const say = (who: string) => hooksFor("Stop", `echo ${who} >> "$WAVE_PROJECT_DIR/order"`);
    writeFileSync(join(plugin, "hooks/hooks.json"), JSON.stringify({ hooks: say("plugin") }));
    world.userSettings({ hooks: say("user") });
    world.settings({ hooks: say("project") });
    world.write(".wave/settings.local.json", JSON.stringify({ hooks: say("local") }));
    const agent = await world.agent({ hooks: say("code"), plugins: [{ path: plugin }] });
    await agent.sendMessage("Go");
    expect(world.read("order")).toBe("code\nplugin\nuser\nproject\nlocal\n");
  });

  it("E4 the project and the plugin's folder are in the environment, the model's key is not, under any name", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "env > tool-env" } }] },
      { text: "Done." },
    ]);
    const plugin = tempFolder("wave-plugin-");
    mkdirSync(join(plugin, "hooks"));
    writeFileSync(
      join(plugin, "hooks/hooks.json"),
      JSON.stringify({ hooks: hooksFor("Stop", `env > "$WAVE_PROJECT_DIR/plugin-env"`) }),
    );
    const key = "sk-the-models-own-key";
    const agent = await world.agent({
      plugins: [{ path: plugin }],
      env: { ...world.env, WAVE_API_KEY: "sk-some-other", OPENAI_API_KEY: key, KEPT: "yes" },
    });
    await agent.sendMessage("Go");
    for (const file of ["plugin-env", "tool-env"]) {
      expect(world.read(file)).not.toMatch(/sk-the-models-own-key|sk-some-other/);
      expect(world.read(file)).toContain("KEPT=yes");
    }
    expect(world.read("plugin-env")).toContain(`WAVE_PROJECT_DIR=${world.project}\n`);
    expect(world.read("plugin-env")).toContain(`WAVE_PLUGIN_ROOT=${plugin}\n`);
    expect(world.read("plugin-env")).toContain(`CLAUDE_PLUGIN_ROOT=${plugin}\n`);
  });

  it("E6 a settings file that is no JSON is named with line and column, the good files' hooks run, and it stays as it is", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    const broken = world.write(".wave/settings.json", '{\n  "hooks": {,}\n}');
    world.userSettings({ hooks: hooksFor("Stop", "echo user >> ran") });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(world.read("ran")).toBe("user\n");
    expect(world.logger.at("warn").join("\n")).toContain(`${broken}:2:13: `);
    expect(notices(agent.messages, "error").join("\n")).toContain(`${broken}:2:13: `);
    expect(world.read(".wave/settings.json")).toBe('{\n  "hooks": {,}\n}');
  });

  it("E6 a bad hook beside good ones costs none of them, and a change takes effect at the next event", async () => {
    const world = await AgentWorld.open([{ text: "Done." }]);
    world.settings({
      hooks: {
        Stop: [
          {
            hooks: [
              { type: "command", command: "" },
              { type: "command", command: "echo good >> ran" },
            ],
          },
        ],
      } as never,
    });
    const agent = await world.agent();
    await agent.sendMessage("Go");
    expect(world.read("ran")).toBe("good\n");
    world.settings({ hooks: hooksFor("Stop", "echo changed >> ran") });
    await agent.sendMessage("Go");
    expect(world.read("ran")).toBe("good\nchanged\n");
  });

  it("in a workspace that is not trusted neither hooks nor tools run", async () => {
    const world = await AgentWorld.open([
      { toolCalls: [{ name: "Bash", arguments: { command: "touch tool-ran" } }] },
      { text: "Done." },
    ]);
    world.settings({ hooks: hooksFor("Stop", "touch hook-ran") });
    const agent = await world.agent({ trusted: false, hooks: hooksFor("Stop", "touch code-hook-ran") });
    await agent.sendMessage("Go");
    expect(["tool-ran", "hook-ran", "code-hook-ran"].filter((name) => world.has(name))).toEqual([]);
    expect(world.service.requests[0]?.tools ?? []).toEqual([]);
  });
});
