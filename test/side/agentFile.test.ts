import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AgentCatalog } from "../../src/agent/subagents/agentCatalog.ts";
import { mayUseTool } from "../../src/agent/subagents/agentDefinition.ts";
import { parseAgentFile } from "../../src/agent/subagents/agentFile.ts";
import type { FileProblem } from "../../src/agent/subagents/definitionFiles.ts";
import { tempFolder } from "../support/tempFolder.ts";

const head = (fields: string): string => `---\n${fields}\n---\nDo it well.\n`;

describe("agent files", () => {
  it.each([
    ["tools: Read, Bash(git *), Grep", ["Read", "Bash", "Grep"]],
    ["tools: [Read, mcp__files]", ["Read", "mcp__files"]],
    ["tools:\n  - Read\n  - Glob", ["Read", "Glob"]],
    ["model: inherit", undefined],
  ])("with %j are read", (fields, tools) => {
    const read = parseAgentFile("/p/.wave/agents/review.md", head(`description: Reviews\n${fields}`));
    expect(read).toMatchObject({
      definition: { name: "review", description: "Reviews", systemPrompt: "Do it well." },
    });
    expect("definition" in read && read.definition.tools).toEqual(tools);
    expect("definition" in read && read.definition.model).toBeUndefined();
  });

  it("with Windows line ends, a rule in the text and a model are read whole", () => {
    const read = parseAgentFile(
      "/p/x.md",
      "---\r\nname: a-b\r\ndescription: D\r\nmodel: m\r\n---\r\nOne\r\n---\r\nTwo\r\n",
    );
    expect(read).toMatchObject({
      definition: { name: "a-b", model: "m", systemPrompt: "One\r\n---\r\nTwo" },
    });
  });

  it.each([
    ["no front matter", "Just text", 1, "must begin with front matter"],
    ["front matter that never ends", "---\ndescription: x\n", 1, "must begin with front matter"],
    ["bad YAML", head("description: x\ntools: [Read"), 3, "not valid YAML"],
    ["a list as front matter", head("- a"), 2, "must hold fields"],
    ["no description", head("name: x"), 2, '"description" is missing'],
    ["a bad name", head("description: x\nname: ../x"), 3, "The name may hold"],
    ["bad tools", head("description: x\ntools: 3"), 3, '"tools" must be'],
    ["a bad model", head("description: x\nmodel: [a]"), 3, '"model" must be'],
    ["no text", "---\ndescription: x\n---\n\n", 3, "no text below"],
  ])("with %s are refused, with the line", (_, text, line, reason) => {
    const read = parseAgentFile("/p/x.md", text);
    expect(read).toMatchObject({ problem: { file: "/p/x.md", line } });
    expect("problem" in read && read.problem.reason).toContain(reason);
  });

  it("are read again when they change, are told about once, and the project's replace the user's and built-in ones", async () => {
    const home = tempFolder();
    const project = tempFolder();
    const problems: FileProblem[] = [];
    const catalog = new AgentCatalog([home, project, join(project, "none")], (problem) =>
      problems.push(problem),
    );
    writeFileSync(join(home, "review.md"), head("description: of the user"));
    writeFileSync(join(project, "explore.md"), head("description: of the project"));
    writeFileSync(join(project, "bad.md"), "text");
    mkdirSync(join(project, "folder.md"));
    await catalog.refresh();
    await catalog.refresh();
    expect(problems.map(({ file }) => file)).toEqual([join(project, "bad.md"), join(project, "folder.md")]);
    expect(catalog.find("review")?.description).toBe("of the user");
    expect(catalog.find("explore")?.description).toBe("of the project");
    writeFileSync(join(project, "review.md"), head("description: of the project"));
    writeFileSync(join(project, "bad.md"), head("description: mended"));
    await catalog.refresh();
    expect(catalog.find("review")?.description).toBe("of the project");
    expect(catalog.find("bad")?.description).toBe("mended");
    rmSync(join(project, "explore.md"));
    await catalog.refresh();
    expect(catalog.find("explore")?.description).toContain("Finds things");
  });
});

describe("the tools of a subagent", () => {
  const agent = (tools?: string[], withoutTools?: string[]) => ({
    name: "x",
    description: "x",
    systemPrompt: "x",
    ...(tools ? { tools } : {}),
    ...(withoutTools ? { withoutTools } : {}),
  });

  it.each([
    [undefined, "Write", true],
    [undefined, "EnterWorktree", false],
    [["*"], "CronCreate", false],
    [["*"], "Write", true],
    [["Read"], "Write", false],
    [["mcp__files"], "mcp__files__read", true],
    [["mcp__files__*"], "mcp__files__read", true],
    [["mcp__files"], "mcp__files2__read", false],
    [["mcp__files__read"], "mcp__files__read", true],
    [["mcp__files__read"], "mcp__files__write", false],
  ])("%j gives %s: %s", (tools, tool, expected) => {
    expect(mayUseTool(agent(tools), tool)).toBe(expected);
  });

  it("what it must not have wins over what it may", () => {
    expect(mayUseTool(agent(["Write"], ["Write"]), "Write")).toBe(false);
  });
});
