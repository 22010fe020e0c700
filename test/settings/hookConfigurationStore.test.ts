import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { nodeFileSystem } from "../../src/settings/fileSystem.ts";
import {
  HookConfigurationStore,
  type HookConfigurationStoreOptions,
  type SettingsFileReport,
} from "../../src/settings/hookConfigurationStore.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { writeTree } from "../support/writeTree.ts";

function settings(...commands: string[]) {
  return { hooks: { Stop: [{ hooks: commands.map((command) => ({ type: "command", command })) }] } };
}

function setUp(files: Record<string, unknown>, options: Partial<HookConfigurationStoreOptions> = {}) {
  const root = tempFolder();
  mkdirSync(join(root, "project"));
  writeTree(root, files);
  const reports: SettingsFileReport[] = [];
  const store = new HookConfigurationStore({
    places: { home: join(root, "home"), workdir: join(root, "project") },
    trusted: () => true,
    onReport: (report) => reports.push(report),
    ...options,
  });
  return {
    root,
    store,
    write: (path: string, content: unknown) => writeTree(root, { [path]: content }),
    /** What runs now. */
    running: async () => commandsOf((await store.current()).hooks),
    /** What was reported since the last call. */
    reported: () =>
      reports
        .splice(0)
        .map(
          ({ file, problems, keptLastGood }) =>
            `${file?.slice(root.length)}: ${problems.map(({ code }) => code).join() || "in order"}${keptLastGood ? ", kept" : ""}`,
        ),
  };
}

function commandsOf(hooks: readonly { action: { type: string; command?: string } }[]): string[] {
  return hooks.map(({ action }) => action.command ?? action.type);
}

const user = "home/.wave/settings.json";
const project = "project/.wave/settings.json";
const local = "project/.wave/settings.local.json";

describe("HookConfigurationStore", () => {
  it("H18.3 holds hooks given in code first, then those of the files in run order", async () => {
    const { running } = setUp(
      {
        [user]: settings("user 1", "user 2"),
        [project]: settings("project"),
        [local]: settings("local"),
        "home/.wave/plugins/p/hooks/hooks.json": settings("plugin"),
      },
      { codeHooks: settings("code 1", "code 2").hooks },
    );
    expect(await running()).toEqual(["code 1", "code 2", "plugin", "user 1", "user 2", "project", "local"]);
  });

  it("sees every change at the next event: files made, changed, replaced and deleted, nothing doubled", async () => {
    const { root, running, write } = setUp({});
    expect(await running()).toEqual([]);
    write(user, settings("a"));
    expect(await running()).toEqual(["a"]);
    write(local, settings("l"));
    expect(await running()).toEqual(["a", "l"]);
    write(user, settings("b", "c"));
    expect(await running()).toEqual(["b", "c", "l"]);
    write("new.json", settings("d"));
    renameSync(join(root, "new.json"), join(root, user));
    expect(await running()).toEqual(["d", "l"]);
    rmSync(join(root, user));
    expect(await running()).toEqual(["l"]);
    rmSync(join(root, "project/.wave"), { recursive: true });
    expect(await running()).toEqual([]);
  });

  it("sees a change of the same length within the same tick of the clock", async () => {
    const { root, running, write } = setUp({ [user]: settings("a") });
    const file = join(root, user);
    for (const command of ["b", "c", "d", "e"]) {
      const { atime, mtime } = statSync(file);
      expect(await running()).not.toEqual([command]);
      write(user, settings(command));
      utimesSync(file, atime, mtime);
      expect(await running()).toEqual([command]);
    }
  });

  it("sees plugin folders come and go, and being turned off", async () => {
    const { root, running, write } = setUp({ [user]: settings("u") });
    await running();
    write("home/.wave/plugins/p/hooks/hooks.json", settings("p"));
    expect(await running()).toEqual(["p", "u"]);
    write("home/.wave/plugins/q/README.md", "");
    expect(await running()).toEqual(["p", "u"]);
    write("home/.wave/plugins/q/hooks/hooks.json", settings("q"));
    expect(await running()).toEqual(["p", "q", "u"]);
    write(local, { enabledPlugins: { p: false } });
    expect(await running()).toEqual(["q", "u"]);
    rmSync(join(root, "home/.wave/plugins"), { recursive: true });
    expect(await running()).toEqual(["u"]);
  });

  it("sees a link that points elsewhere, and counts a file once that two links lead to", async () => {
    const { root, running } = setUp({
      "one.json": settings("one"),
      "two.json": settings("two"),
      [local]: {},
    });
    mkdirSync(join(root, "home/.wave"), { recursive: true });
    symlinkSync("../../one.json", join(root, user));
    expect(await running()).toEqual(["one"]);
    rmSync(join(root, user));
    symlinkSync("../../two.json", join(root, user));
    expect(await running()).toEqual(["two"]);
    symlinkSync("../../two.json", join(root, project));
    expect(await running()).toEqual(["two"]);
  });

  it("keeps the same object while nothing changes, and gives each change a new revision", async () => {
    const { store, write } = setUp({ [user]: settings("a") });
    expect(store.latest).toEqual({ hooks: [], revision: 0 });
    const first = await store.current();
    expect(store.latest).toBe(first);
    expect(await store.current()).toBe(first);
    write(user, `// a comment behind nothing\n${JSON.stringify(settings("b"))}`);
    const second = await store.current();
    expect(second.revision).toBeGreaterThan(first.revision);
    expect(commandsOf(first.hooks)).toEqual(["a"]);
  });

  it("E6 keeps the last good hooks of a file that stops parsing, and reports each change once", async () => {
    const { root, running, reported, write } = setUp({ [user]: settings("guard"), [project]: settings("p") });
    await running();
    expect(reported()).toEqual([]);
    write(user, '{"hooks": {');
    expect(await running()).toEqual(["guard", "p"]);
    expect(await running()).toEqual(["guard", "p"]);
    expect(reported()).toEqual([`/${user}: jsonNotClosed, kept`]);
    write(user, "");
    expect(await running()).toEqual(["guard", "p"]);
    expect(reported()).toEqual([`/${user}: fileEmpty, kept`]);
    write(user, "[]");
    expect(await running()).toEqual(["guard", "p"]);
    expect(reported()).toEqual([`/${user}: notAnObject, kept`]);
    rmSync(join(root, user));
    mkdirSync(join(root, user));
    expect(await running()).toEqual(["guard", "p"]);
    expect(await running()).toEqual(["guard", "p"]);
    expect(reported()).toEqual([`/${user}: fileIsDirectory, kept`]);
    rmSync(join(root, user), { recursive: true });
    write(user, settings("new guard"));
    expect(await running()).toEqual(["new guard", "p"]);
    expect(reported()).toEqual([`/${user}: in order`]);
    rmSync(join(root, user));
    expect(await running()).toEqual(["p"]);
    expect(reported()).toEqual([]);
  });

  it("E6 gives no hooks of a file that does not parse at the start, loads the others and reports it", async () => {
    const { running, reported, write } = setUp({ [user]: "{", [project]: settings("p") });
    expect(await running()).toEqual(["p"]);
    expect(reported()).toEqual([`/${user}: jsonNotClosed`]);
    write(user, settings("u"));
    expect(await running()).toEqual(["u", "p"]);
    expect(reported()).toEqual([`/${user}: in order`]);
  });

  it("E6 skips bad entries alone and reports them", async () => {
    const bad = {
      hooks: { Stop: [5, { hooks: [{ type: "command", command: "good" }, { type: "command" }] }] },
    };
    const { running, reported } = setUp({ [user]: bad }, { codeHooks: { Stop: "x" } });
    expect(await running()).toEqual(["good"]);
    expect(reported()).toEqual(["undefined: eventNotAList", `/${user}: groupNotAnObject,commandMissing`]);
  });

  it("never gives half of a file that is being written", async () => {
    const { root, store, reported, write } = setUp({ [user]: settings("old 1", "old 2") });
    await store.current();
    const whole = JSON.stringify(settings("new 1", "new 2"), null, 2);
    const handle = openSync(join(root, user), "w");
    const during = store.current();
    writeSync(handle, whole.slice(0, 60));
    await delay(30);
    const alsoDuring = store.current();
    writeSync(handle, whole.slice(60));
    closeSync(handle);
    for (const { hooks } of [await during, await alsoDuring])
      expect([
        ["old 1", "old 2"],
        ["new 1", "new 2"],
      ]).toContainEqual(commandsOf(hooks));
    expect(commandsOf((await store.current()).hooks)).toEqual(["new 1", "new 2"]);
    reported();
    write(user, settings("x"));
    await store.current();
    expect(reported()).toEqual([]);
  });

  it("keeps a guard while an editor deletes the file and writes it anew", async () => {
    const { root, store, write } = setUp({ [user]: settings("guard") });
    await store.current();
    rmSync(join(root, user));
    const during = store.current();
    await delay(5);
    write(user, settings("guard", "more"));
    expect(commandsOf((await during).hooks)).toContain("guard");
  });

  it("takes account of a change that is made while it is looking already", async () => {
    const { store, running, write } = setUp({ [user]: settings("0") });
    for (let round = 1; round <= 20; round++) {
      const before = store.current();
      write(user, settings(String(round)));
      expect(await running()).toEqual([String(round)]);
      await before;
    }
  });

  it("gives all who ask at once the same", async () => {
    const { store } = setUp({ [user]: settings("a"), [project]: settings("b") });
    const answers = await Promise.all(Array.from({ length: 50 }, () => store.current()));
    expect(new Set(answers).size).toBe(1);
  });

  it("holds nothing while the workspace is not trusted, and everything from the moment that it is", async () => {
    let trusted = false;
    const { running, write } = setUp(
      { [user]: settings("u"), [project]: settings("p") },
      { trusted: () => trusted, codeHooks: settings("code").hooks },
    );
    expect(await running()).toEqual([]);
    write(local, settings("l"));
    expect(await running()).toEqual([]);
    trusted = true;
    expect(await running()).toEqual(["code", "u", "p", "l"]);
    trusted = false;
    expect(await running()).toEqual([]);
  });

  it("obeys disableAllHooks at once, for hooks given in code too, the most local file deciding", async () => {
    const { running, write } = setUp(
      { [user]: { ...settings("u"), disableAllHooks: true } },
      { codeHooks: settings("code").hooks },
    );
    expect(await running()).toEqual([]);
    write(local, { disableAllHooks: false });
    expect(await running()).toEqual(["code", "u"]);
    write(local, { disableAllHooks: true });
    expect(await running()).toEqual([]);
    write(local, '{"disableAllHooks": fal');
    expect(await running()).toEqual([]);
    write(local, {});
    write(user, settings("u"));
    expect(await running()).toEqual(["code", "u"]);
  });

  it("keeps the permission rules of a file that stops parsing", async () => {
    const { store, write } = setUp({ [user]: { permissions: { deny: ["Bash"] } }, [project]: "{" });
    const rules = async () => {
      const { rules: found, unreadableFiles } = await store.permissionRules();
      return [found.map(({ rule }) => rule), unreadableFiles.length];
    };
    expect(await rules()).toEqual([["Bash"], 1]);
    write(user, '{"permissions": {"deny": ["Ba');
    expect(await rules()).toEqual([["Bash"], 1]);
    write(project, {});
    write(user, { permissions: { deny: ["Write"] } });
    expect(await rules()).toEqual([["Write"], 0]);
  });

  it("does not read files again that did not change", async () => {
    let reads = 0;
    const open: typeof nodeFileSystem.open = (path, flags, mode) => {
      reads++;
      return nodeFileSystem.open(path, flags, mode);
    };
    const { root, store } = setUp(
      { [user]: settings("a"), [project]: settings("b") },
      { fs: { ...nodeFileSystem, open } },
    );
    const long = new Date(Date.now() - 60_000);
    for (const path of [user, project]) utimesSync(join(root, path), long, long);
    // The time of the last change of metadata cannot be set back: until it is old, changes could be overlooked.
    await delay(2_100);
    await store.current();
    const readAtFirst = reads;
    await store.current();
    await store.current();
    expect(reads).toBe(readAtFirst);
    appendFileSync(join(root, user), "\n");
    await store.current();
    expect(reads).toBe(readAtFirst + 1);
    expect(readFileSync(join(root, user), "utf8").endsWith("\n")).toBe(true);
  });
});
