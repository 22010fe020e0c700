import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HookFilePlaces, hookFileLocations } from "../../src/settings/hookFileLocations.ts";
import { type HookList, listHooks } from "../../src/settings/listHooks.ts";
import { describeProblem } from "../../src/settings/settingsProblem.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { writeTree } from "../support/writeTree.ts";

function hooks(...commands: string[]) {
  return { hooks: { Stop: [{ hooks: commands.map((command) => ({ type: "command", command })) }] } };
}

/** A home folder and a project with all kinds of sources; every hook's command says where it stands. */
function machine(more: Record<string, unknown> = {}) {
  const root = tempFolder();
  writeTree(root, {
    "home/.wave/settings.json": hooks("user"),
    "home/.wave/plugins/beta/hooks/hooks.json": hooks("beta"),
    "home/.wave/plugins/alpha/hooks/hooks.json": hooks("alpha 1", "alpha 2"),
    "home/.wave/plugins/.git/hooks/hooks.json": hooks("hidden folder"),
    "home/.wave/plugins/empty/README.md": "no hooks",
    "project/.wave/settings.json": hooks("project"),
    "project/.wave/settings.local.json": hooks("local"),
    ...more,
  });
  const places: HookFilePlaces = { home: join(root, "home"), workdir: join(root, "project") };
  return { root, places };
}

async function list(places: HookFilePlaces, trusted = true): Promise<HookList> {
  return listHooks(await hookFileLocations(places), { trusted });
}

async function commands(places: HookFilePlaces): Promise<string[]> {
  return (await list(places)).hooks.map(({ hook }) => hook.command);
}

/** Which hooks do not run, and why. */
async function notRunning(places: HookFilePlaces, trusted = true): Promise<Record<string, string>> {
  const found = (await list(places, trusted)).hooks.filter(({ willRun }) => !willRun);
  return Object.fromEntries(found.map(({ hook, notRunning: why }) => [hook.command, why?.reason ?? ""]));
}

describe("hookFileLocations", () => {
  it("H27.1 finds the sources in run order: plugins, user, project, local", async () => {
    const { places } = machine();
    expect(await commands(places)).toEqual(["alpha 1", "alpha 2", "beta", "user", "project", "local"]);
  });

  it("puts Copilot files after the Wave file of their level, by name", async () => {
    const { root, places } = machine({
      "home/.copilot/hooks/b.json": {},
      "home/.copilot/hooks/a.json": {},
      "home/.copilot/hooks/readme.md": "",
      "project/.github/hooks/c.json": {},
    });
    const { files } = await hookFileLocations(places, { dialects: ["wave", "copilot"] });
    expect(
      files.slice(-6).map(({ source, dialect, file }) => `${source} ${dialect} ${file.slice(root.length)}`),
    ).toEqual([
      "user wave /home/.wave/settings.json",
      "user copilot /home/.copilot/hooks/a.json",
      "user copilot /home/.copilot/hooks/b.json",
      "project wave /project/.wave/settings.json",
      "project copilot /project/.github/hooks/c.json",
      "local wave /project/.wave/settings.local.json",
    ]);
    const elsewhere = { ...places, env: { COPILOT_HOME: join(root, "project") } };
    const moved = await hookFileLocations(elsewhere, { dialects: ["wave", "copilot"] });
    expect(moved.folders).toContain(join(root, "project/hooks"));
  });

  it("names the files shortly for people", async () => {
    const { places } = machine();
    const { files } = await hookFileLocations(places);
    expect(files.map(({ fileLabel }) => fileLabel)).toEqual([
      "~/.wave/plugins/alpha/hooks/hooks.json",
      "~/.wave/plugins/beta/hooks/hooks.json",
      "~/.wave/plugins/empty/hooks/hooks.json",
      "~/.wave/settings.json",
      ".wave/settings.json",
      ".wave/settings.local.json",
    ]);
  });

  it("reads plugins given in code first, and each folder once", async () => {
    const { root, places } = machine({ "extra/hooks/hooks.json": hooks("extra") });
    const plugins = [{ path: join(root, "extra") }, { path: join(root, "home/.wave/plugins/beta") }];
    expect(await commands({ ...places, plugins })).toEqual([
      "extra",
      "beta",
      "alpha 1",
      "alpha 2",
      "user",
      "project",
      "local",
    ]);
    expect(await commands({ ...places, plugins: [{ path: "../extra" }] })).toContain("extra");
  });

  it("counts a file once that is reached twice: home as the project, links to files and folders, hard links", async () => {
    const { root, places } = machine();
    expect(await commands({ home: places.home, workdir: places.home })).toEqual([
      "alpha 1",
      "alpha 2",
      "beta",
      "user",
    ]);
    symlinkSync(places.home, join(root, "homeLink"));
    expect(await commands({ home: places.home, workdir: join(root, "homeLink") })).toHaveLength(4);
    mkdirSync(join(root, "linked/.wave"), { recursive: true });
    symlinkSync(join(places.home, ".wave/settings.json"), join(root, "linked/.wave/settings.json"));
    linkSync(join(places.home, ".wave/settings.json"), join(root, "linked/.wave/settings.local.json"));
    expect(await commands({ home: places.home, workdir: join(root, "linked") })).toHaveLength(4);
  });

  it("needs no project and no file at all", async () => {
    expect(await commands({ home: join(tempFolder(), "nobody") })).toEqual([]);
  });
});

describe("listHooks", () => {
  it("H27.3 H27.4 gives each hook its provenance and an aim", async () => {
    const { places } = machine();
    const { hooks: found, problems } = await list(places);
    expect(problems).toEqual([]);
    const user = found.find(({ hook }) => hook.command === "user");
    const file = join(places.home, ".wave/settings.json");
    expect(user).toMatchObject({
      order: 3,
      willRun: true,
      canChange: true,
      location: { source: "user", file },
      aim: { file, jsonPath: ["hooks", "Stop", 0, "hooks", 0] },
    });
  });

  it("H30.5 H29.5 gives no aim at the hooks of plugins", async () => {
    const { places } = machine();
    const { hooks: found } = await list(places);
    const plugins = found.filter(({ location }) => location.source === "plugin");
    expect(plugins.map(({ canChange, aim, hook }) => [hook.command, canChange, aim])).toEqual([
      ["alpha 1", false, undefined],
      ["alpha 2", false, undefined],
      ["beta", false, undefined],
    ]);
    const root = join(places.home, ".wave/plugins/beta");
    expect(plugins[2]?.hook.definition?.provenance).toMatchObject({ pluginName: "beta", pluginRoot: root });
  });

  it("keeps an id while file, place and content stay, and changes it with each of them", async () => {
    const { places } = machine();
    const file = join(places.workdir ?? "", ".wave/settings.json");
    const idOf = async (command: string) =>
      (await list(places)).hooks.find(({ hook }) => hook.command === command)?.id;
    const id = await idOf("project");
    const all = (await list(places)).hooks.map((listed) => listed.id);
    expect(new Set(all).size).toBe(all.length);
    writeFileSync(file, `// a comment\n${readFileSync(file, "utf8")}`);
    expect(await idOf("project")).toBe(id);
    writeFileSync(file, JSON.stringify(hooks("before", "project")));
    expect(await idOf("project")).not.toBe(id);
    writeTree(places.workdir ?? "", {
      ".wave/settings.json": {
        hooks: { PreToolUse: [{ matcher: "A", hooks: [{ type: "command", command: "same" }] }] },
      },
    });
    const withA = await idOf("same");
    writeFileSync(file, readFileSync(file, "utf8").replace('"A"', '"B"'));
    expect(await idOf("same")).not.toBe(withA);
  });

  it("E6 lists the good files beside bad ones, and says where those are wrong", async () => {
    const { root, places } = machine({ "project/.wave/settings.local.json": '{\n  "hooks": {' });
    mkdirSync(join(root, "home/.wave/plugins/empty/hooks/hooks.json"), { recursive: true });
    const found = await list(places);
    expect(found.hooks.map(({ hook }) => hook.command)).toEqual([
      "alpha 1",
      "alpha 2",
      "beta",
      "user",
      "project",
    ]);
    expect(
      found.problems.map(({ code, severity, line, column, location }) => [
        code,
        severity,
        line,
        column,
        location.fileLabel,
      ]),
    ).toEqual([
      ["fileIsDirectory", "error", 1, 1, "~/.wave/plugins/empty/hooks/hooks.json"],
      ["jsonNotClosed", "error", 2, 13, ".wave/settings.local.json"],
    ]);
    const last = found.problems[1];
    expect(last && describeProblem(last).reason).toBe(
      "The file ends too early: the bracket opened in line 2, column 12 is not closed.",
    );
  });

  it("says that nothing runs in an untrusted workspace", async () => {
    const { places } = machine();
    const reasons = Object.values(await notRunning(places, false));
    expect(reasons).toEqual(Array(6).fill("untrusted"));
  });

  it("lets the most local file decide on disableAllHooks", async () => {
    const { places } = machine();
    const set = (file: string, value: unknown) =>
      writeTree(places.workdir ?? "", { [file]: { ...hooks(file), disableAllHooks: value } });
    writeTree(places.home, { ".wave/settings.json": { ...hooks("user"), disableAllHooks: true } });
    expect(Object.values(await notRunning(places))).toEqual(Array(6).fill("disabled"));
    set(".wave/settings.local.json", false);
    expect(await notRunning(places)).toEqual({});
    set(".wave/settings.local.json", "no");
    set(".wave/settings.json", true);
    const { hooks: found } = await list(places);
    const why = found[0]?.notRunning?.why;
    expect(why && describeProblem(why).reason).toBe(
      `All hooks are turned off by "disableAllHooks" in ${join(places.workdir ?? "", ".wave/settings.json")}.`,
    );
  });

  it("lets no plugin turn off other hooks", async () => {
    const { places } = machine({
      "home/.wave/plugins/beta/hooks/hooks.json": {
        ...hooks("beta"),
        disableAllHooks: true,
        enabledPlugins: { alpha: false },
      },
    });
    expect(await notRunning(places)).toEqual({});
  });

  it("turns a plugin off by enabledPlugins, the most local file deciding, but none given in code", async () => {
    const { places } = machine();
    writeTree(places.home, {
      ".wave/settings.json": { ...hooks("user"), enabledPlugins: { alpha: false, beta: false } },
    });
    writeTree(places.workdir ?? "", {
      ".wave/settings.json": { ...hooks("project"), enabledPlugins: { beta: true } },
    });
    expect(await notRunning(places)).toEqual({ "alpha 1": "pluginOff", "alpha 2": "pluginOff" });
    const plugins = [{ path: join(places.home, ".wave/plugins/alpha") }];
    expect(await notRunning({ ...places, plugins })).toEqual({});
  });

  it("calls a bad hook bad, whatever else keeps it from running", async () => {
    const { places } = machine({
      "project/.wave/settings.local.json": { hooks: { Stop: [{ hooks: [{ type: "x", command: "bad" }] }] } },
    });
    expect(await notRunning(places, false)).toMatchObject({ bad: "bad", user: "untrusted" });
  });
});
