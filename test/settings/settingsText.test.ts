import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFileSystem } from "../../src/settings/fileSystem.ts";
import { encodeSettingsText, hashBytes, readSettingsText } from "../../src/settings/settingsText.ts";
import { tempFolder } from "../support/tempFolder.ts";

async function stateOf(path: string): Promise<string> {
  const read = await readSettingsText(path);
  return read.state === "failed" ? read.problem.code : read.state;
}

describe("readSettingsText", () => {
  it("reads the text as it is, and gives back the same bytes", async () => {
    const folder = tempFolder();
    for (const [name, content] of Object.entries({
      plain: '{"a": "ä🚀"}\n',
      bom: "\ufeff{\r\n}\r\n",
      twoBoms: "\ufeff\ufeff{}",
      empty: "",
    })) {
      const file = join(folder, name);
      writeFileSync(file, content);
      const read = await readSettingsText(file);
      if (read.state !== "read") throw new Error(read.state);
      expect(read.hasBom).toBe(content.startsWith("\ufeff"));
      expect(read.text).toBe(content.replace(/^\ufeff/, ""));
      expect(encodeSettingsText(read.text, read.hasBom)).toEqual(Buffer.from(content));
      expect(read.hash).toBe(hashBytes(Buffer.from(content)));
    }
  });

  it("E6 tells apart what is in the way", async () => {
    const folder = tempFolder();
    const at = (name: string) => join(folder, name);
    writeFileSync(at("file"), "{}");
    mkdirSync(at("folder"));
    symlinkSync("file", at("link"));
    symlinkSync("link", at("linkToLink"));
    symlinkSync("nowhere", at("dangling"));
    symlinkSync("dangling", at("linkToDangling"));
    symlinkSync("folder", at("linkToFolder"));
    symlinkSync("loop", at("loop"));
    writeFileSync(at("utf16"), Buffer.from("\ufeff{}", "utf16le"));
    writeFileSync(at("latin1"), Buffer.from([0x7b, 0xe4, 0x7d]));
    writeFileSync(at("huge"), "");
    truncateSync(at("huge"), 65 * 1024 * 1024);
    const expected = {
      missing: "missing",
      "missing/deeper": "missing",
      "file/below": "missing",
      folder: "fileIsDirectory",
      linkToFolder: "fileIsDirectory",
      link: "read",
      linkToLink: "read",
      dangling: "fileDanglingLink",
      linkToDangling: "fileDanglingLink",
      loop: "fileUnreadable",
      utf16: "fileNotText",
      latin1: "fileNotText",
      huge: "fileTooLarge",
    };
    for (const [name, state] of Object.entries(expected))
      expect([name, await stateOf(at(name))]).toEqual([name, state]);
  });

  it("E6 names the target of a link to nothing", async () => {
    const folder = tempFolder();
    symlinkSync("../nowhere.json", join(folder, "link"));
    expect(await readSettingsText(join(folder, "link"))).toMatchObject({
      problem: { params: { target: join(folder, "../nowhere.json") } },
    });
  });

  it.skipIf(process.platform === "win32")("E6 does not wait for a pipe that nobody writes into", async () => {
    const pipe = join(tempFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(await stateOf(pipe)).toBe("fileNotRegular");
  });

  it("E6 says why a file cannot be read", async () => {
    // Root may read everything, so the refusal is put in.
    const refusal = Object.assign(new Error("EACCES: permission denied, open '/x'"), { code: "EACCES" });
    const fs = { ...nodeFileSystem, open: () => Promise.reject(refusal) };
    expect(await readSettingsText("/x", fs)).toEqual({
      state: "failed",
      problem: { code: "fileUnreadable", params: { file: "/x", cause: "EACCES: permission denied" } },
    });
  });
});
