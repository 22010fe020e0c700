import { describe, expect, it } from "vitest";
import { copilotHooks } from "../../src/settings/copilotHooks.ts";
import { parseCodeHooks } from "../../src/settings/hooksFile.ts";
import { effectiveMembers } from "../../src/settings/jsonTree.ts";
import { removeHook } from "../../src/settings/removeHook.ts";
import { SettingsDocument } from "../../src/settings/settingsDocument.ts";

function read(content: unknown, platform: NodeJS.Platform = "linux") {
  const document = new SettingsDocument(typeof content === "string" ? content : JSON.stringify(content));
  const hooks = document.root && effectiveMembers(document.root).get("hooks")?.value;
  if (hooks?.kind !== "object") throw new Error("no hooks");
  const found = copilotHooks(platform)(hooks, document, {
    source: "project",
    dialect: "copilot",
    file: "/p/.github/hooks/h.json",
  });
  return { found, problems: document.problems.map(({ code }) => code) };
}

describe("files of Copilot hooks", () => {
  it("takes the command of this system, and says where there is none", () => {
    const entries = {
      hooks: {
        sessionEnd: [
          { bash: "b", powershell: "p" },
          { powershell: "p" },
          { command: "any" },
          { bash: "b", command: "any" },
        ],
      },
    };
    expect(read(entries).found.map(({ command, otherSystem }) => otherSystem ?? command)).toEqual([
      "b",
      true,
      "any",
      "b",
    ]);
    expect(read(entries, "win32").found.map(({ command }) => command)).toEqual(["p", "p", "any", "any"]);
  });

  it("has 30 seconds, takes timeoutSec before timeout, and skips invalid ones", () => {
    const { found, problems } = read({
      hooks: {
        sessionEnd: [
          { bash: "a" },
          { bash: "b", timeoutSec: 5, timeout: 7 },
          { bash: "c", timeout: 7 },
          { bash: "d", timeoutSec: 0 },
        ],
      },
    });
    expect(found.map(({ definition }) => definition?.timeoutMs)).toEqual([30_000, 5000, 7000, undefined]);
    expect(problems).toEqual(["timeoutInvalid"]);
  });

  it("reads cwd, env and http, and flattens Claude's groups with their matcher", () => {
    const { found, problems } = read({
      version: 1,
      hooks: {
        preToolUse: [
          { matcher: "bash", hooks: [{ command: "grouped" }, { command: "own", matcher: "view" }] },
          { type: "command", bash: "x", cwd: "sub", env: { A: "1" } },
          { type: "http", url: "https://example.invalid/h", headers: { X: "$T" }, allowedEnvVars: ["T"] },
        ],
      },
    });
    expect(problems).toEqual([]);
    expect(found.map(({ matcher, jsonPath }) => [matcher, jsonPath.slice(2)])).toEqual([
      ["bash", [0, "hooks", 0]],
      ["view", [0, "hooks", 1]],
      [undefined, [1]],
      [undefined, [2]],
    ]);
    expect(found[2]?.definition?.action).toEqual({
      type: "command",
      command: "x",
      cwd: "sub",
      env: { A: "1" },
    });
    expect(found[3]?.definition?.action).toEqual({
      type: "http",
      url: "https://example.invalid/h",
      headers: { X: "$T" },
      allowedEnvVars: ["T"],
    });
  });

  it("says what that format would ignore without a word, and keeps the neighbours", () => {
    const { found, problems } = read({
      hooks: {
        pretooluse: [{ bash: "case" }],
        noSuchEvent: [{ bash: "unknown" }],
        agentStop: [
          { bash: "good", matcher: "x" },
          { type: "prompt", prompt: "p" },
          {},
          { exec: "e", args: [] },
          7,
        ],
        preToolUse: [{ bash: "pattern", matcher: "(" }],
        userPromptSubmitted: [{ bash: 'echo {"modifiedPrompt":"x"}' }],
        postToolUse: [
          { type: "http", url: "ftp://x" },
          { type: "http", url: "http://127.0.0.1/", allowedEnvVars: ["A"] },
        ],
        sessionStart: {},
      },
    });
    expect(problems.sort()).toEqual(
      [
        "eventMisspelt",
        "eventUnknown",
        "matcherIgnored",
        "typeUnknown",
        "copilotCommandMissing",
        "copilotFieldNotSupported",
        "copilotFieldNotSupported",
        "hookNotAnObject",
        "matcherInvalid",
        "copilotPromptRewrite",
        "copilotUrlInvalid",
        "copilotUrlNeedsHttps",
        "copilotEventNotAList",
      ].sort(),
    );
    expect(found.filter(({ definition }) => definition).map(({ command }) => command)).toEqual([
      "good",
      'echo {"modifiedPrompt":"x"}',
    ]);
  });

  it("runs nothing of another version", () => {
    expect(read({ version: 2, hooks: { agentStop: [{ bash: "a" }] } })).toEqual({
      found: [],
      problems: ["copilotVersionUnknown"],
    });
  });

  it("C25 H30.3 deletes one entry, keeps version and other keys, and takes an emptied event along", () => {
    const text =
      '{\n  "version": 1, // keep\n  "hooks": {\n    "agentStop": [\n      { "bash": "a" }\n    ]\n  },\n  "comment": "mine"\n}\n';
    const removed = removeHook(text, ["hooks", "agentStop", 0]);
    expect(removed).toEqual({ ok: true, text: expect.stringContaining('"version": 1, // keep') });
    expect(removed.ok && removed.text).toContain('"comment": "mine"');
    expect(removed.ok && removed.text).not.toContain("agentStop");
  });

  it("C3 takes hooks in code with camelCase names as Copilot's", () => {
    const { hooks, problems } = parseCodeHooks({
      Stop: [{ hooks: [{ type: "command", command: "wave" }] }],
      agentStop: [{ bash: "theirs", command: "theirs" }],
    });
    expect(problems).toEqual([]);
    expect(hooks.map(({ definition }) => [definition?.event, definition?.provenance.dialect])).toEqual([
      ["Stop", "wave"],
      ["Stop", "copilot"],
    ]);
  });
});
