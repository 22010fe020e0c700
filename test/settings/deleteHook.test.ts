import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deleteHookFromFile, type HookAim, undoFileChange } from "../../src/settings/deleteHook.ts";
import { nodeFileSystem } from "../../src/settings/fileSystem.ts";
import { hookFileLocations } from "../../src/settings/hookFileLocations.ts";
import { listHooks } from "../../src/settings/listHooks.ts";
import { SettingsFileError } from "../../src/settings/settingsProblem.ts";
import { tempFolder } from "../support/tempFolder.ts";

const text = `\ufeff{\r
  "hooks": {\r
    "Stop": [{ "hooks": [\r
      { "type": "command", "command": "a" }, // a\r
      { "type": "command", "command": "b" } // b\r
    ] }]\r
  }\r
}\r
`;
const withoutA = text.replace('      { "type": "command", "command": "a" }, // a\r\n', "");

function userFile(content: string) {
  const home = tempFolder();
  mkdirSync(join(home, ".wave"));
  const file = join(home, ".wave/settings.json");
  writeFileSync(file, content);
  return { home, file };
}

async function aims(home: string): Promise<HookAim[]> {
  const list = await listHooks(await hookFileLocations({ home }), { trusted: true });
  return list.hooks.flatMap(({ aim }) => aim ?? []);
}

async function firstAim(home: string): Promise<HookAim> {
  const [aim] = await aims(home);
  if (!aim) throw new Error("There is no hook.");
  return aim;
}

async function refusal(work: Promise<unknown>): Promise<SettingsFileError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof SettingsFileError) return error;
  throw new Error("It was not refused.", { cause: error });
}

describe("deleteHookFromFile", () => {
  it("H30.3 H30.4 removes the hook from its file, byte for byte, and from the list", async () => {
    const { home, file } = userFile(text);
    await deleteHookFromFile(await firstAim(home));
    expect(readFileSync(file, "utf8")).toBe(withoutA);
    const { hooks } = await listHooks(await hookFileLocations({ home }), { trusted: true });
    expect(hooks.map(({ hook }) => hook.command)).toEqual(["b"]);
  });

  it("H30.3 takes a delete back by the exact bytes", async () => {
    const { home, file } = userFile(text);
    const change = await deleteHookFromFile(await firstAim(home));
    await undoFileChange(change);
    expect(readFileSync(file)).toEqual(Buffer.from(text));
  });

  it("does not take a delete back when the file has changed since, or is gone", async () => {
    const { home, file } = userFile(text);
    const change = await deleteHookFromFile(await firstAim(home));
    writeFileSync(file, `${withoutA}// mine`);
    expect((await refusal(undoFileChange(change))).problem.code).toBe("fileChanged");
    expect(readFileSync(file, "utf8")).toBe(`${withoutA}// mine`);
    rmSync(file);
    expect((await refusal(undoFileChange(change))).problem.code).toBe("fileGone");
    expect(readdirSync(join(home, ".wave"))).toEqual([]);
  });

  it("E13 deletes nothing when the file has changed since the list was made", async () => {
    const { home, file } = userFile(text);
    const aim = await firstAim(home);
    for (const changed of [text.replace('"a"', '"other"'), `${text} `, withoutA, "{}"]) {
      writeFileSync(file, changed);
      expect((await refusal(deleteHookFromFile(aim))).problem.code).toBe("fileChanged");
      expect(readFileSync(file, "utf8")).toBe(changed);
    }
  });

  it("E13 deletes nothing when the file changes at the last moment", async () => {
    const { home, file } = userFile(text);
    const aim = await firstAim(home);
    const access: typeof nodeFileSystem.access = async (path, mode) => {
      writeFileSync(file, "{}");
      await nodeFileSystem.access(path, mode);
    };
    const error = await refusal(deleteHookFromFile(aim, { ...nodeFileSystem, access }));
    expect(error.problem.code).toBe("fileChanged");
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  it("E6 E13 never overwrites a file that is no longer valid, and says where it is wrong", async () => {
    const { home, file } = userFile(text);
    const aim = await firstAim(home);
    const broken = text.slice(0, text.indexOf(", // a"));
    writeFileSync(file, broken);
    const error = await refusal(deleteHookFromFile(aim));
    expect(error.problem).toEqual({ code: "fileNotValid", params: { file, line: 4, column: 44 } });
    expect(error.message).toBe(
      `${file} is not valid JSON (line 4, column 44). Nothing was changed. Correct the file first.`,
    );
    expect(readFileSync(file, "utf8")).toBe(broken);
  });

  it("E13 says when the file is gone, a folder, a link to nothing, or not text any more", async () => {
    const { home, file } = userFile(text);
    const aim = await firstAim(home);
    rmSync(file);
    expect((await refusal(deleteHookFromFile(aim))).problem.code).toBe("fileGone");
    symlinkSync("nowhere", file);
    expect((await refusal(deleteHookFromFile(aim))).problem.code).toBe("fileGone");
    rmSync(file);
    mkdirSync(file);
    expect((await refusal(deleteHookFromFile(aim))).problem.code).toBe("fileIsDirectory");
    rmSync(file, { recursive: true });
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0x00]));
    expect((await refusal(deleteHookFromFile(aim))).problem.code).toBe("fileNotText");
    expect(readFileSync(file)).toEqual(Buffer.from([0xff, 0xfe, 0x00]));
  });

  it("H30.3 deletes exactly the one that is meant of ten equal hooks", async () => {
    const hook = '{"type": "command", "command": "x"}';
    const lines = Array.from({ length: 10 }, (_, index) => `${hook}${index < 9 ? "," : ""} // no ${index}`);
    const { home, file } = userFile(`{"hooks": {"Stop": [{"hooks": [\n${lines.join("\n")}\n]}]}}`);
    const found = await aims(home);
    expect(found).toHaveLength(10);
    await deleteHookFromFile(found[6] as HookAim);
    const left = readFileSync(file, "utf8").match(/no \d/g);
    expect(left).toEqual([0, 1, 2, 3, 4, 5, 7, 8, 9].map((index) => `no ${index}`));
    // The other nine aims are as old as the list.
    expect((await refusal(deleteHookFromFile(found[7] as HookAim))).problem.code).toBe("fileChanged");
  });
});
