import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import type { ToolBlock } from "../../src/agent/messages/message.ts";
import { AgentWorld, toolBlocks } from "../support/agentWorld.ts";

type Call = { name: string; arguments: Record<string, unknown> };

/** One answer of the model for each list of calls. */
async function call(world: AgentWorld, ...calls: (Call | Call[])[]): Promise<ToolBlock[]> {
  world.service.script([
    ...calls.map((each) => ({ toolCalls: Array.isArray(each) ? each : [each] })),
    { text: "Done." },
  ]);
  const agent = await world.agent(world.ripgrepPath === undefined ? {} : { ripgrepPath: world.ripgrepPath });
  await agent.sendMessage("Go");
  return toolBlocks(agent.messages);
}
const read = (file_path: string, more = {}): Call => ({ name: "Read", arguments: { file_path, ...more } });
const edit = (old_string: string, new_string: string, more = {}): Call => ({
  name: "Edit",
  arguments: { file_path: "a.txt", old_string, new_string, ...more },
});
const write = (content: string, file_path = "a.txt"): Call => ({
  name: "Write",
  arguments: { file_path, content },
});
const bash = (command: string, more = {}): Call => ({ name: "Bash", arguments: { command, ...more } });

describe("Read", () => {
  it("shows numbered lines, parts of long files, and where to go on", async () => {
    const world = await AgentWorld.open();
    world.write("a.txt", Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n"));
    const [whole, part, beyond] = await call(world, [
      read("a.txt"),
      read("a.txt", { offset: 4999, limit: 5 }),
      read("a.txt", { offset: 6000 }),
    ]);
    expect(whole?.result.startsWith("     1\tline 1\n     2\tline 2\n")).toBe(true);
    expect(whole?.result).toContain("[Lines 1 to 2000 of 5000. Go on with offset 2001.]");
    expect(part?.result).toBe("  4999\tline 4999\n  5000\tline 5000");
    expect(beyond?.result).toContain("5000 lines");
  });

  it("refuses binary files, folders, pipes and what is missing, and reads huge files in part", async () => {
    const world = await AgentWorld.open();
    world.write("binary", Buffer.from([1, 2, 0, 3]));
    execFileSync("mkfifo", [join(world.project, "pipe")]);
    writeFileSync(join(world.project, "huge"), "first\nsecond\n");
    truncateSync(join(world.project, "huge"), 13);
    writeFileSync(join(world.project, "huge"), `first\nsecond\n${"x".repeat(11 * 1024 * 1024)}`);
    const [binary, folder, pipe, missing, huge] = await call(world, [
      read("binary"),
      read("."),
      read("pipe"),
      read("nowhere"),
      read("huge", { limit: 2 }),
    ]);
    expect(binary?.error).toContain("binary");
    expect(folder?.error).toContain("folder");
    expect(pipe?.error).toContain("not a regular file");
    expect(missing?.error).toContain("does not exist");
    expect(huge?.result).toContain("     2\tsecond");
  });
});

describe("Edit and Write", () => {
  it("keep BOM, line ends, mode and links, and everything that is not meant", async () => {
    const world = await AgentWorld.open();
    const target = world.write("real.txt", "\uFEFFone\r\ntwo\r\nthree\r\n");
    chmodSync(target, 0o751);
    symlinkSync(target, join(world.project, "a.txt"));
    const [, edited, written] = await call(
      world,
      read("a.txt"),
      edit("one\ntwo", "1\n2\n2b"),
      write("all\nnew\n"),
    );
    expect(edited).toMatchObject({ success: true });
    expect(edited?.diff).toContain("+2b");
    expect(written?.success).toBe(true);
    expect(readFileSync(target, "utf8")).toBe("\uFEFFall\r\nnew\r\n");
    expect(statSync(target).mode & 0o777).toBe(0o751);
    expect(world.has("real.txt")).toBe(true);
  });

  it("CRLF: only the meant lines change", async () => {
    const world = await AgentWorld.open();
    world.write("a.txt", "one\r\ntwo\nthree\r\n");
    await call(world, read("a.txt"), edit("three", "3\n4"));
    expect(world.read("a.txt")).toBe("one\r\ntwo\n3\r\n4\r\n");
  });

  it("refuse a file that was not read, one that changed since, and texts that are missing or not unique", async () => {
    const world = await AgentWorld.open();
    world.write("a.txt", "x x\n");
    const [unread, overwrite, , missing, twice, all, same] = await call(
      world,
      edit("x", "y"),
      write("z"),
      read("a.txt"),
      edit("nope", "y"),
      edit("x", "y"),
      edit("x", "$&-", { replace_all: true }),
      edit("$&-", "$&-"),
    );
    expect(unread?.error).toContain("not been read");
    expect(overwrite?.error).toContain("not been read");
    expect(missing?.error).toContain("does not occur");
    expect(twice?.error).toContain("2 times");
    expect(all?.success).toBe(true);
    expect(same?.success).toBe(false);
    expect(world.read("a.txt")).toBe("$&- $&-\n");
  });

  it("do not damage what is no UTF-8", async () => {
    const world = await AgentWorld.open();
    const bytes = Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]);
    world.write("a.txt", bytes);
    const [, edited] = await call(world, read("a.txt"), edit("caf", "tea"));
    expect(edited?.error).toContain("UTF-8");
    expect(readFileSync(join(world.project, "a.txt"))).toEqual(bytes);
  });

  it("make the folders of a new file, and say why one cannot be written", async () => {
    const world = await AgentWorld.open();
    world.write("file", "");
    const [made, impossible] = await call(world, write("x", "deep/er/new.txt"), write("x", "file/below.txt"));
    expect(made?.success).toBe(true);
    expect(world.read("deep/er/new.txt")).toBe("x");
    expect(impossible?.success).toBe(false);
    expect(impossible?.error).toContain("file");
  });
});

describe("Bash", () => {
  it("follows cd, also out of a folder that was deleted, and keeps no other state", async () => {
    const world = await AgentWorld.open();
    const results = await call(
      world,
      bash("mkdir sub && cd sub && X=1"),
      bash('echo "$(pwd) $X"'),
      bash('rm -rf "$PWD"; true'),
      bash("pwd"),
      bash("exit 4"),
    );
    expect(results[0]?.result).toContain(`The current directory is now ${join(world.project, "sub")}`);
    expect(results[1]?.result.trim()).toBe(join(world.project, "sub"));
    expect(results[3]?.result).toContain("does not exist any more");
    expect(results[3]?.result.trim().endsWith(world.project)).toBe(true);
    expect(results[4]).toMatchObject({ success: false, error: "Exit code 4" });
  });

  it("a time limit moves the command to the background; output is bounded; what is left behind is ended", async () => {
    const world = await AgentWorld.open();
    const [slow, loud, orphan] = await call(
      world,
      bash("echo begun; sleep 60", { timeout: 300 }),
      bash("yes line | head -c 5000000"),
      bash("(sleep 300 &) ; echo left"),
    );
    expect(slow?.success).toBe(true);
    expect(slow?.result).toContain("goes on in the background");
    expect(slow?.result).toContain("begun");
    expect(loud?.result.length).toBeLessThan(31_000);
    expect(orphan?.result).toBe("left");
  });

  it("stdin is empty, and text in any script passes", async () => {
    const world = await AgentWorld.open();
    const [stdin, quoted] = await call(world, bash("cat; echo end"), bash(`echo 'a "b" $c' "語"`));
    expect(stdin?.result).toBe("end");
    expect(quoted?.result).toBe('a "b" $c 語');
  });
});

describe.each(["ripgrep", "JavaScript"])("Glob and Grep with %s", (engine) => {
  async function search(...calls: Call[]): Promise<ToolBlock[]> {
    const world = await AgentWorld.open();
    if (engine === "ripgrep") world.ripgrepPath = rgPath;
    else world.env.PATH = "/usr/sbin";
    world.write(".gitignore", "ignored/\n*.log\n");
    world.write("src/one.ts", "const needle = 1;\nconst other = 2;\n");
    world.write("src/deep/two.ts", "// Needle\n// nothing\n// needle again\n");
    world.write("src/note.md", "needle\n");
    world.write("ignored/three.ts", "needle\n");
    world.write("x.log", "needle\n");
    world.write("binary.ts", Buffer.from("\0needle"));
    const blocks = await call(world, calls);
    for (const block of blocks)
      Object.assign(block, { result: block.result.replaceAll(`${world.project}/`, "") });
    return blocks;
  }

  it("find files by pattern, without what .gitignore leaves out", async () => {
    const [all, below, none] = await search(
      { name: "Glob", arguments: { pattern: "**/*.ts" } },
      { name: "Glob", arguments: { pattern: "*.{ts,md}", path: "src" } },
      { name: "Glob", arguments: { pattern: "**/*.py" } },
    );
    expect(all?.result.split("\n").sort()).toEqual(["binary.ts", "src/deep/two.ts", "src/one.ts"]);
    expect(below?.result.split("\n").sort()).toEqual(["src/note.md", "src/one.ts"]);
    expect(none?.result).toBe("No file matches.");
  });

  it("find files, lines with context, and counts by regular expression", async () => {
    const [files, lines, context, count, one, bad] = await search(
      { name: "Grep", arguments: { pattern: "needle" } },
      { name: "Grep", arguments: { pattern: "needle", output_mode: "content", "-i": true, glob: "*.ts" } },
      { name: "Grep", arguments: { pattern: "again", output_mode: "content", "-B": 1 } },
      { name: "Grep", arguments: { pattern: "needle", output_mode: "count", "-i": true, type: "ts" } },
      { name: "Grep", arguments: { pattern: "^needle$", path: "src/note.md", output_mode: "content" } },
      { name: "Grep", arguments: { pattern: "(" } },
    );
    expect(
      files?.result
        .split("\n")
        .filter((file) => file !== "binary.ts")
        .sort(),
    ).toEqual(["src/deep/two.ts", "src/note.md", "src/one.ts"]);
    expect(lines?.result.split("\n").sort()).toEqual([
      "src/deep/two.ts:1:// Needle",
      "src/deep/two.ts:3:// needle again",
      "src/one.ts:1:const needle = 1;",
    ]);
    expect(context?.result).toBe("src/deep/two.ts-2-// nothing\nsrc/deep/two.ts:3:// needle again");
    expect(
      count?.result
        .split("\n")
        .filter((line) => !line.startsWith("binary"))
        .sort(),
    ).toEqual(["src/deep/two.ts:2", "src/one.ts:1"]);
    expect(one?.result).toBe("src/note.md:1:needle");
    expect(bad?.success).toBe(false);
  });
});

describe("Grep in JavaScript", () => {
  it("a pattern that would take for ever is given up", async () => {
    const world = await AgentWorld.open();
    world.env.PATH = "/usr/sbin";
    world.write("a.txt", `${"a".repeat(40)}b\n`);
    const [result] = await call(world, { name: "Grep", arguments: { pattern: "^(a+)+$" } });
    expect(result?.error).toContain("too long");
  });
});
