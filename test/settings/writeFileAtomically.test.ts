import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FileSystem, nodeFileSystem } from "../../src/settings/fileSystem.ts";
import { SettingsFileError } from "../../src/settings/settingsProblem.ts";
import { hashBytes } from "../../src/settings/settingsText.ts";
import { writeFileAtomically } from "../../src/settings/writeFileAtomically.ts";
import { tempFolder } from "../support/tempFolder.ts";

/** The code with which it was refused. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof SettingsFileError) return error.problem.code;
  throw new Error("It was not refused.", { cause: error });
}

function failing(code: string): () => Promise<never> {
  return () => Promise.reject(Object.assign(new Error(`${code}: put in by a test, somewhere`), { code }));
}

function hashOf(text: string): string {
  return hashBytes(Buffer.from(text));
}

describe("writeFileAtomically", () => {
  it("writes a new file, and the folders on the way to it", async () => {
    const folder = tempFolder();
    const file = join(folder, "a/b/settings.json");
    const { hash } = await writeFileAtomically(file, "{}", { expectedHash: null });
    expect(readFileSync(file, "utf8")).toBe("{}");
    expect(hash).toBe(hashOf("{}"));
    expect(readdirSync(join(folder, "a/b"))).toEqual(["settings.json"]);
  });

  it.skipIf(process.platform === "win32")("H30.3 keeps the mode of the file", async () => {
    const file = join(tempFolder(), "settings.json");
    for (const mode of [0o600, 0o640, 0o666, 0o755]) {
      writeFileSync(file, "old");
      chmodSync(file, mode);
      await writeFileAtomically(file, "new");
      expect(statSync(file).mode & 0o7777).toBe(mode);
    }
  });

  it("H30.3 writes through links, which stay as they are", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "real"));
    const real = join(folder, "real/settings.json");
    writeFileSync(real, "old");
    symlinkSync("real/settings.json", join(folder, "link"));
    symlinkSync("link", join(folder, "linkToLink"));
    symlinkSync("real", join(folder, "linkedFolder"));
    await writeFileAtomically(join(folder, "linkToLink"), "1", { expectedHash: hashOf("old") });
    expect(readFileSync(real, "utf8")).toBe("1");
    await writeFileAtomically(join(folder, "linkedFolder/settings.json"), "2", { expectedHash: hashOf("1") });
    expect(readFileSync(real, "utf8")).toBe("2");
    expect(readlinkSync(join(folder, "linkToLink"))).toBe("link");
    expect(readlinkSync(join(folder, "link"))).toBe("real/settings.json");
    expect(lstatSync(join(folder, "linkedFolder")).isSymbolicLink()).toBe(true);
    expect(readdirSync(join(folder, "real"))).toEqual(["settings.json"]);
  });

  it("makes the file that a link points to where there is none yet", async () => {
    const folder = tempFolder();
    symlinkSync("deep/real.json", join(folder, "link"));
    await writeFileAtomically(join(folder, "link"), "x");
    expect(readFileSync(join(folder, "deep/real.json"), "utf8")).toBe("x");
    expect(lstatSync(join(folder, "link")).isSymbolicLink()).toBe(true);
  });

  it("refuses when the file is not as expected, and leaves it", async () => {
    const folder = tempFolder();
    const file = join(folder, "settings.json");
    expect(await refusal(writeFileAtomically(file, "new", { expectedHash: hashOf("old") }))).toBe("fileGone");
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, "other");
    expect(await refusal(writeFileAtomically(file, "new", { expectedHash: hashOf("old") }))).toBe(
      "fileChanged",
    );
    expect(await refusal(writeFileAtomically(file, "new", { expectedHash: null }))).toBe("fileChanged");
    expect(readFileSync(file, "utf8")).toBe("other");
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  it("E13 refuses to replace a folder, or a file whose folder is gone", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "settings.json/inside"), { recursive: true });
    expect(await refusal(writeFileAtomically(join(folder, "settings.json"), "x"))).toBe("fileIsDirectory");
    const gone = join(folder, "gone/settings.json");
    expect(await refusal(writeFileAtomically(gone, "x", { expectedHash: hashOf("y") }))).toBe("fileGone");
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  it.each<[string, string, Partial<FileSystem>]>([
    ["the file is read-only", "fileNoPermission", { access: failing("EACCES") }],
    ["the disk is read-only", "fileNoPermission", { rename: failing("EROFS") }],
    ["the folder may not be changed", "fileNoPermission", { rename: failing("EPERM") }],
    ["the disk is full", "diskFull", { rename: failing("ENOSPC") }],
    ["the quota is used up", "diskFull", { rename: failing("EDQUOT") }],
    ["the disk fails", "writeFailed", { rename: failing("EIO") }],
  ])("E13 says so when %s, and leaves the file and nothing beside it", async (_, code, faulty) => {
    const folder = tempFolder();
    const file = join(folder, "settings.json");
    writeFileSync(file, "old");
    const fs = { ...nodeFileSystem, ...faulty };
    expect(await refusal(writeFileAtomically(file, "new", { fs }))).toBe(code);
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  it.skipIf(!existsSync("/dev/full"))("E13 says so when the disk is full while writing", async () => {
    const folder = tempFolder();
    const file = join(folder, "settings.json");
    writeFileSync(file, "old");
    const open = ((path: string, ...rest: [string, number]) =>
      nodeFileSystem.open(
        path.endsWith(".tmp") ? "/dev/full" : path,
        ...(path.endsWith(".tmp") ? (["w"] as const) : rest),
      )) as FileSystem["open"];
    expect(await refusal(writeFileAtomically(file, "new", { fs: { ...nodeFileSystem, open } }))).toBe(
      "diskFull",
    );
    expect(readFileSync(file, "utf8")).toBe("old");
  });

  it("never shows a reader half of the content", async () => {
    const file = join(tempFolder(), "settings.json");
    const [one, two] = ["1".repeat(500_000), "2".repeat(400_000)];
    writeFileSync(file, one);
    let isWriting = true;
    const writing = (async () => {
      for (let round = 0; round < 15; round++) await writeFileAtomically(file, round % 2 ? one : two);
      isWriting = false;
    })();
    while (isWriting) expect([one, two]).toContain(await nodeFileSystem.readFile(file, "utf8"));
    await writing;
  });

  it("takes over the lock of a process that died", async () => {
    const folder = tempFolder();
    const file = join(folder, "settings.json");
    const lock = join(folder, ".settings.json.lock");
    writeFileSync(file, "old");
    // No process has this number: it is above the limit of every system.
    writeFileSync(lock, `2147483646 ${hostname()} x`);
    await writeFileAtomically(file, "1");
    writeFileSync(lock, "1 another-machine x");
    utimesSync(lock, new Date(Date.now() - 11_000), new Date(Date.now() - 11_000));
    await writeFileAtomically(file, "2");
    expect(readFileSync(file, "utf8")).toBe("2");
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  it("E13 gives up when another process holds the lock, and leaves that lock", async () => {
    const folder = tempFolder();
    const file = join(folder, "settings.json");
    writeFileSync(file, "old");
    const lock = join(folder, ".settings.json.lock");
    writeFileSync(lock, `${process.pid} ${hostname()} x`);
    expect(await refusal(writeFileAtomically(file, "new"))).toBe("fileLocked");
    expect(existsSync(lock)).toBe(true);
    expect(readFileSync(file, "utf8")).toBe("old");
  });

  it("lets one of many writers at once win, and refuses the others", async () => {
    const folder = tempFolder();
    const file = join(folder, "settings.json");
    writeFileSync(file, "0");
    const writers = Array.from({ length: 12 }, (_, index) =>
      writeFileAtomically(file, `writer ${index}`, { expectedHash: hashOf("0") }).then(
        () => "done",
        (error: unknown) => (error instanceof SettingsFileError ? error.problem.code : String(error)),
      ),
    );
    const results = await Promise.all(writers);
    expect(results.filter((result) => result === "done")).toHaveLength(1);
    expect(results.filter((result) => result === "fileChanged")).toHaveLength(11);
    expect(readFileSync(file, "utf8")).toBe(`writer ${results.indexOf("done")}`);
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });
});
