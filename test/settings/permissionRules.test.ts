import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookFileLocations } from "../../src/settings/hookFileLocations.ts";
import { listHooks } from "../../src/settings/listHooks.ts";
import { readPermissionRules } from "../../src/settings/permissionRules.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { writeTree } from "../support/writeTree.ts";

async function read(files: Record<string, unknown>) {
  const root = tempFolder();
  writeTree(root, files);
  const locations = await hookFileLocations({ home: join(root, "home"), workdir: join(root, "project") });
  const { rules, defaultMode, unreadableFiles } = await readPermissionRules(locations);
  const { problems } = await listHooks(locations, { trusted: true });
  return {
    rules: rules.map(({ rule, behavior, source, line }) => `${source} ${behavior} ${rule} ${line}`),
    defaultMode: defaultMode && `${defaultMode.mode} ${defaultMode.file.slice(root.length)}`,
    unreadableFiles: unreadableFiles.map((file) => file.slice(root.length)),
    problems: problems.map(({ code, line, column }) => `${code} ${line}:${column}`),
    files: rules.map(({ file }) => file.slice(root.length)),
  };
}

describe("readPermissionRules", () => {
  it("reads the rules of user, project and local file, each with its place", async () => {
    const found = await read({
      "home/.wave/settings.json": `{
  "permissions": {
    "deny": ["Bash(rm *)"],
    "allow": [
      "Read", // everywhere
      "Bash(npm test)"
    ]
  }
}`,
      "project/.wave/settings.json": '{"permissions": {"ask": ["Write"], "defaultMode": "plan"}}',
      "project/.wave/settings.local.json": '{"permissions": {"defaultMode": "acceptEdits"}}',
      "home/.wave/plugins/p/hooks/hooks.json": '{"permissions": {"allow": ["Bash"]}}',
    });
    expect(found.rules).toEqual([
      "user allow Read 5",
      "user allow Bash(npm test) 6",
      "user deny Bash(rm *) 3",
      "project ask Write 1",
    ]);
    expect(found.defaultMode).toBe("acceptEdits /project/.wave/settings.local.json");
    expect(found.files[0]).toBe("/home/.wave/settings.json");
    expect(found.problems).toEqual([]);
  });

  it("E6 loses no rule to bad hooks or to bad rules", async () => {
    const found = await read({
      "home/.wave/settings.json":
        '{"hooks": {"Stop": 5, "PreToolUse": [{"matcher": "(", "hooks": [1]}]}, "permissions": {"deny": ["A", 5, "", "B"], "allow": "C", "ask": null, "defaultMode": "yolo"}}',
    });
    expect(found.rules).toEqual(["user deny A 1", "user deny B 1"]);
    expect(found.defaultMode).toBeUndefined();
    expect(found.problems.map((problem) => problem.split(" ")[0])).toEqual([
      "eventNotAList",
      "matcherInvalid",
      "hookNotAnObject",
      "ruleNotText",
      "ruleNotText",
      "settingNotList",
      "settingNotList",
      "modeUnknown",
    ]);
  });

  it("E6 names the files whose rules are unknown", async () => {
    const found = await read({
      "home/.wave/settings.json": '{"permissions": {"allow": ["A"]}}',
      "project/.wave/settings.json": '{"permissions": {"deny": ["B"',
      "project/.wave/settings.local.json": '{"permissions": []}',
    });
    expect(found.rules).toEqual(["user allow A 1"]);
    expect(found.unreadableFiles).toEqual(["/project/.wave/settings.json"]);
    expect(found.problems).toEqual(["jsonNotClosed 1:30", "settingNotObject 1:17"]);
  });
});
