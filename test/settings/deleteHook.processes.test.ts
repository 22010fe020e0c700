import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleProgram, outputOf } from "../support/runBundled.ts";
import { tempFolder } from "../support/tempFolder.ts";

const source = join(import.meta.dirname, "deletingProgram.ts");
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;

function homeWith(commands: readonly string[]) {
  const home = tempFolder();
  mkdirSync(join(home, ".wave"));
  const file = join(home, ".wave/settings.json");
  const hooks = commands.map(
    (command) => `      { "type": "command", "command": "${command}" } // ${command}`,
  );
  const lines = hooks.map((line, index) => (index < hooks.length - 1 ? line.replace(" //", ", //") : line));
  writeFileSync(
    file,
    ["{", '  "hooks": {', '    "Stop": [{ "hooks": [', ...lines, "    ] }]", "  }", "}", ""].join("\n"),
  );
  return { home, file };
}

describe("deleteHookFromFile, with real processes", () => {
  it("H30.3 loses nothing when three windows delete from one file at once", async () => {
    const run = bundleProgram(source);
    const commands = Array.from({ length: 36 }, (_, index) => `${"abcd"[index % 4]}${index}`);
    const { home, file } = homeWith(commands);
    const outputs = await Promise.all(["a", "b", "c"].map((prefix) => outputOf(run([home, prefix]))));
    const count = (output: string, what: string) => output.split("\n").filter((line) => line === what).length;
    expect(outputs.map((output) => count(output, "deleted"))).toEqual([9, 9, 9]);
    const kept = commands.filter((command) => command.startsWith("d"));
    const left = readFileSync(file, "utf8");
    const hooks = JSON.parse(left.replace(/\/\/.*/g, "")).hooks.Stop[0].hooks as { command: string }[];
    expect(hooks.map(({ command }) => command)).toEqual(kept);
    expect(left.match(/\/\/ \w+/g)).toEqual(kept.map((command) => `// ${command}`));
    expect(readdirSync(join(home, ".wave"))).toEqual(["settings.json"]);
  });

  it.skipIf(process.platform === "win32").each([
    ["a folder", 0o755, 0o644, "fileNoPermission"],
    ["a file", 0o777, 0o444, "fileNoPermission"],
  ])(
    "E13 refuses without permission to write %s, and changes nothing",
    async (_, folderMode, fileMode, code) => {
      const run = bundleProgram(source);
      const { home, file } = homeWith(["a", "b"]);
      const before = readFileSync(file);
      chmodSync(home, 0o755);
      chmodSync(file, fileMode);
      if (!isRoot && folderMode === 0o755) chmodSync(join(home, ".wave"), 0o555);
      else chmodSync(join(home, ".wave"), folderMode);
      const output = await outputOf(run([home, "a"], isRoot ? { uid: nobody } : {}));
      chmodSync(join(home, ".wave"), 0o755);
      expect(output).toBe(`${code}\n`);
      expect(readFileSync(file)).toEqual(before);
      expect(readdirSync(join(home, ".wave"))).toEqual(["settings.json"]);
    },
  );

  it.skipIf(!isRoot)("H30.3 leaves the file to its owner when root deletes", async () => {
    const run = bundleProgram(source);
    const { home, file } = homeWith(["a", "b"]);
    chownSync(file, nobody, nobody);
    chmodSync(file, 0o600);
    expect(await outputOf(run([home, "a"]))).toBe("deleted\n");
    const { uid, gid, mode } = statSync(file);
    expect([uid, gid, mode & 0o777]).toEqual([nobody, nobody, 0o600]);
  });
});
