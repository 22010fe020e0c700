import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "jsonc-parser";
import { describe, expect, it, onTestFinished } from "vitest";
import { Agent } from "../../src/agent/agent.ts";
import type { AgentOptions, PermissionQuestion } from "../../src/agent/agentOptions.ts";
import { createComposerModel } from "../../src/agent/composer/composerModel.ts";
import { textOf } from "../../src/agent/messages/message.ts";
import { tempFolder } from "../support/tempFolder.ts";

async function start(options: Partial<AgentOptions> = {}) {
  const home = tempFolder("home-");
  const workdir = tempFolder("shop-");
  const questions: PermissionQuestion[] = [];
  const agent = await Agent.create({
    home,
    workdir,
    env: { PATH: process.env.PATH },
    languageModel: createComposerModel({ home, workdir: () => workdir }),
    canUseTool: async (question) => {
      questions.push(question);
      return { behavior: "allow" };
    },
    ...options,
  });
  onTestFinished(() => agent.destroy());
  const userFile = join(home, ".wave/settings.json");
  const projectFile = join(workdir, ".wave/settings.json");
  const ask = async (prompt: string): Promise<string> => {
    await agent.sendMessage(prompt);
    return textOf(
      agent.messages.findLast(({ role }) => role === "assistant") ?? {
        id: "",
        role: "assistant",
        blocks: [],
        timestamp: 0,
      },
    );
  };
  return { agent, ask, questions, home, workdir, userFile, projectFile };
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const hooksOf = (file: string) => parse(readFileSync(file, "utf8")).hooks;

describe("the built-in composer drives the agent's loop", () => {
  it("H28.3 H28.5 writes a new project hook after asking, with the diff", async () => {
    const { ask, questions, projectFile } = await start();
    const answer = await ask(
      "Create a hook in [shop] for me: on PostToolUse, for Edit, run npm run lint, timeout 30s",
    );
    expect(hooksOf(projectFile)).toEqual({
      PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "npm run lint", timeout: 30 }] }],
    });
    expect(questions.map(({ toolName, file }) => [toolName, file])).toEqual([["Write", projectFile]]);
    expect(questions[0]?.diff).toContain("npm run lint");
    expect(answer).toContain("Done");
    expect(answer).toContain('"command": "npm run lint"');
  });

  it("H28.3 changes an existing user file in acceptEdits, too, only after asking, and keeps its comments", async () => {
    const { ask, questions, userFile } = await start({ permissionMode: "acceptEdits" });
    const before =
      '{\r\n\t// mine\r\n\t"hooks": {\r\n\t\t"Stop": [ { "hooks": [ { "type": "command", "command": "a" } ] } ] // last\r\n\t}\r\n}\r\n';
    write(userFile, before);
    const answer = await ask("帮我配一个用户级钩子：停止时，跑 `npm test`，异步");
    const after = readFileSync(userFile, "utf8");
    expect(after).toContain("// mine\r\n");
    expect(after).toContain("// last\r\n");
    expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    expect(hooksOf(userFile).Stop[0].hooks).toEqual([
      { type: "command", command: "a" },
      { type: "command", command: "npm test", async: true },
    ]);
    // the user's file is outside of the project: it may not be read without a question either
    expect(questions.map(({ toolName }) => toolName)).toEqual(["Read", "Edit"]);
    expect(answer).toContain("完成");
  });

  it("H29.3 H29.4 edits the hook that the prompt names", async () => {
    const { ask, projectFile } = await start();
    write(
      projectFile,
      '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "npm test" }] }\n    ]\n  }\n}\n',
    );
    await ask(
      `Edit this hook for me: change command to npm run check\nThe hook: Stop, \`npm test\` in ${projectFile}, line 4`,
    );
    expect(readFileSync(projectFile, "utf8")).toBe(
      '{\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "npm run check" }] }\n    ]\n  }\n}\n',
    );
  });

  it("H13.2 takes what hooks print before and behind a request for no request of its own", async () => {
    const hook = (command: string) => [{ hooks: [{ type: "command" as const, command }] }];
    const { ask, projectFile, agent } = await start({
      hooks: { SessionStart: hook("echo today"), UserPromptSubmit: hook("echo Write clean code.") },
    });
    await ask("Create a hook in [shop] for me: on PostToolUse, for Write, run `npm run lint`");
    expect(hooksOf(projectFile).PostToolUse).toHaveLength(1);
    expect(agent.messages.some(({ isMeta }) => isMeta)).toBe(true);
    expect(await ask("Add a hook")).toContain("all your projects");
    expect(await ask("only this project")).toContain("When should it run?");
  });

  it("C25 writes and edits a hook in a Copilot file where one is named, and keeps its version and comments", async () => {
    const { ask, workdir } = await start();
    const file = join(workdir, ".github/hooks/guard.json");
    await ask("Add a hook to .github/hooks/guard.json: on preToolUse, for Bash, run ./guard.sh, timeout 10s");
    expect(parse(readFileSync(file, "utf8"))).toEqual({
      version: 1,
      hooks: { preToolUse: [{ type: "command", command: "./guard.sh", matcher: "bash", timeoutSec: 10 }] },
    });
    const before =
      '{ "version": 1, // one\n  "hooks": {\n    "agentStop": [\n      { "bash": "npm test", "timeoutSec": 5 } // slow\n    ]\n  }\n}\n';
    write(file, before);
    await ask(
      `Edit this hook for me: change timeout to 60s\nThe hook: agentStop, \`npm test\` in ${file}, line 4`,
    );
    expect(readFileSync(file, "utf8")).toBe(before.replace('"timeoutSec": 5', '"timeoutSec": 60'));
    await ask(
      `Edit this hook for me: change event to Stop\nThe hook: agentStop, \`npm test\` in ${file}, line 4`,
    );
    await ask(`在 .github/hooks/guard.json 里加一个钩子：agentStop 时，跑 \`./done.sh\``);
    const after = readFileSync(file, "utf8");
    expect(parse(after).hooks).toEqual({
      agentStop: [
        { bash: "npm test", timeoutSec: 60 },
        { type: "command", command: "./done.sh" },
      ],
    });
    expect(after).toContain("// one");
    expect(after).toContain("// slow");
  });

  it("asks for what is missing, one thing after another, and then does it", async () => {
    const { ask, projectFile, questions } = await start();
    expect(await ask("Add a hook")).toContain("all your projects");
    expect(await ask("only this project")).toContain("When should it run?");
    expect(await ask("after every edit")).toContain("Which command");
    expect(existsSync(projectFile)).toBe(false);
    await ask("`prettier --write .`");
    expect(hooksOf(projectFile)).toEqual({
      PostToolUse: [{ matcher: "Edit|Write", hooks: [{ type: "command", command: "prettier --write ." }] }],
    });
    expect(questions).toHaveLength(1);
    expect(await ask("thanks!")).toContain("built-in composer");
  });

  it("says why nothing was changed where the user refuses, the file is broken, or the hook is there already", async () => {
    const refused = await start({ canUseTool: async () => ({ behavior: "deny", message: "not now" }) });
    expect(await refused.ask("Add a user hook: on Stop run `npm test`")).toContain("not now");
    expect(existsSync(refused.userFile)).toBe(false);

    const { ask, userFile } = await start();
    write(userFile, '{"hooks": {');
    expect(await ask("Add a user hook: on Stop run `npm test`")).toContain("not valid JSON (line 1");
    expect(readFileSync(userFile, "utf8")).toBe('{"hooks": {');
    write(userFile, "");
    await ask("Add a user hook: on Stop run `npm test`");
    expect(hooksOf(userFile).Stop).toHaveLength(1);
    expect(await ask("Add a user hook: on Stop run `npm test`")).toContain("already stands");
    expect(hooksOf(userFile).Stop).toHaveLength(1);
  });

  it("does not touch a file whose lines it cannot see whole", async () => {
    const { ask, userFile } = await start();
    const before = JSON.stringify({ note: "x".repeat(5000), hooks: {} });
    write(userFile, before);
    expect(await ask("Add a user hook: on Stop run `npm test`")).toContain("too long");
    expect(readFileSync(userFile, "utf8")).toBe(before);
  });

  it("passes hooks like any other model: a PreToolUse hook may refuse its change", async () => {
    const { ask, userFile } = await start({
      hooks: {
        PreToolUse: [
          { matcher: "Write|Edit", hooks: [{ type: "command", command: "echo frozen >&2; exit 2" }] },
        ],
      },
    });
    expect(await ask("Add a user hook: on Stop run `npm test`")).toContain(
      "PreToolUse:Write hook error: frozen",
    );
    expect(existsSync(userFile)).toBe(false);
  });

  it("E15 declines in one sentence what is not about hooks, and names the other choices", async () => {
    const { ask } = await start();
    const answer = await ask("/settings please write me a poem");
    expect(answer).toMatch(/^I am the built-in composer, not an AI model/);
    expect(answer).toContain("VS Code language model");
    expect(answer).toContain("your own model service");
    expect(answer.match(/[.!?](?:\s|$)/g)).toHaveLength(1);
  });
});
