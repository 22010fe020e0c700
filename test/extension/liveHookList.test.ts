import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { LiveHookList } from "../../src/extension/settingsPage/liveHookList.ts";
import type { HookSnapshot } from "../../src/protocol/hookView.ts";
import { deleteHookFromFile } from "../../src/settings/deleteHook.ts";
import { chinese, english } from "../support/localizers.ts";

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp();
});

/** A list of a home folder and a project in a temporary folder, with a way to await its next snapshot that fits. */
function setUp(files: Record<string, string>, options: { trusted?: boolean; isChinese?: boolean } = {}) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "wave-hooks-list-")));
  cleanUps.push(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  mkdirSync(path.join(root, "home"));
  mkdirSync(path.join(root, "app"));
  for (const [name, text] of Object.entries(files)) write(name, text);
  const snapshots: HookSnapshot[] = [];
  const waiting = new Set<() => void>();
  const errors: unknown[] = [];
  let revision = 0;
  const state = { trusted: options.trusted ?? true };
  const list = new LiveHookList({
    places: { home: path.join(root, "home"), workdir: path.join(root, "app"), env: {} },
    projectName: "app",
    trusted: () => state.trusted,
    l10n: options.isChinese ? chinese : english,
    nextRevision: () => ++revision,
    onChange: (snapshot) => {
      snapshots.push(snapshot);
      for (const look of waiting) look();
    },
    onError: (error) => errors.push(error),
  });
  cleanUps.push(() => list.dispose());
  const until = (fits: (snapshot: HookSnapshot) => boolean): Promise<HookSnapshot> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = snapshots.findLast(fits);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { root, write, list, until, snapshots, errors, state };
}

const hook = (command: string) => `{"type": "command", "command": "${command}"}`;
const settings = (...commands: string[]) =>
  `{"hooks": {"Stop": [{"hooks": [${commands.map(hook).join(", ")}]}]}}`;

describe("the live list of hooks", () => {
  it("H27.3 H27.4 lists the hooks of every source with their place", async () => {
    const { root, until } = setUp({
      "home/.wave/settings.json": settings("user-1"),
      "app/.wave/settings.json": `{\n  "hooks": {"PostToolUse": [{"matcher": "Write", "hooks": [\n    {"type": "command", "command": "lint", "description": "d", "timeout": 5, "async": true}]}]}}`,
      "app/.wave/settings.local.json": settings("local-1"),
      "home/.wave/plugins/p/hooks/hooks.json": settings("plugin-1"),
    });
    const { hooks, projectName, projectDir } = await until(({ hooks }) => hooks.length === 4);
    expect([projectName, projectDir]).toEqual(["app", path.join(root, "app")]);
    expect(
      hooks.map(({ tab, sourceLabel, command, canChange }) => [tab, sourceLabel, command, canChange]),
    ).toEqual([
      ["plugin", "Plugin: p", "plugin-1", false],
      ["user", "User", "user-1", true],
      ["project", "Project", "lint", true],
      ["project", "Project (local)", "local-1", true],
    ]);
    expect(hooks[2]).toMatchObject({
      event: "PostToolUse",
      eventLabel: "After a tool ran",
      otherEventName: "postToolUse",
      matcher: "Write",
      description: "d",
      timeoutSeconds: 5,
      timeoutIsDefault: false,
      async: true,
      file: path.join(root, "app/.wave/settings.json"),
      fileLabel: ".wave/settings.json",
      line: 3,
      column: 5,
      willRun: true,
    });
  });

  it("H30.4 follows every change on disk, also of files and folders that did not exist", async () => {
    const { root, write, list, until } = setUp({});
    await until(({ hooks }) => hooks.length === 0);
    write("app/.wave/settings.json", settings("a", "b"));
    await until(({ hooks }) => hooks.length === 2);
    const before = list.snapshot;
    const listed = list.find(before?.hooks[0]?.id ?? "");
    if (!listed?.aim) throw new Error("the first hook can be changed");
    await deleteHookFromFile(listed.aim);
    const after = await until(({ hooks }) => hooks.length === 1);
    expect(after.hooks[0]?.command).toBe("b");
    expect(after.revision).toBeGreaterThan(before?.revision ?? 0);
    expect(list.find(listed.id)).toBeUndefined();
    write("home/.wave/plugins/new/hooks/hooks.json", settings("p"));
    await until(({ hooks }) => hooks.length === 2);
    rmSync(path.join(root, "app/.wave"), { recursive: true });
    await until(({ hooks }) => hooks.length === 1);
  });

  it("names no file but those it shows", async () => {
    const { root, list, until } = setUp({
      "app/.wave/settings.json": "{ broken",
      "home/.wave/settings.json": settings("a"),
    });
    await until(({ problems }) => problems.length > 0);
    expect(list.hasFile(path.join(root, "app/.wave/settings.json"))).toBe(true);
    expect(list.hasFile(path.join(root, "home/.wave/settings.json"))).toBe(true);
    expect(list.hasFile("/etc/passwd")).toBe(false);
    expect(list.hasFile(path.join(root, "app/.wave/../.wave/settings.json.bak"))).toBe(false);
  });

  it("says in Restricted Mode that no hook runs, and takes trust without a new page", async () => {
    const { list, until, state } = setUp(
      { "home/.wave/settings.json": settings("a") },
      { trusted: false, isChinese: true },
    );
    const untrusted = await until(({ hooks }) => hooks.length === 1);
    expect(untrusted.trusted).toBe(false);
    expect(untrusted.hooks[0]).toMatchObject({
      willRun: false,
      sourceLabel: "用户",
      eventLabel: "代理停止时",
      notRunning: {
        reason: "untrusted",
        text: "在信任此工作区之前，不会运行任何钩子。 如果你信任其作者，请信任此工作区。",
      },
    });
    state.trusted = true;
    await list.refresh();
    expect(list.snapshot).toMatchObject({ trusted: true, hooks: [{ willRun: true }] });
  });

  it("cuts a command of 100 KB for the page and says by how much", async () => {
    const { until } = setUp({
      "home/.wave/settings.json": settings(`${"x".repeat(3999)}😀${"y".repeat(100_000)}`),
    });
    const { hooks } = await until(({ hooks }) => hooks.length === 1);
    expect(hooks[0]?.command).toBe("x".repeat(3999));
    expect(hooks[0]?.commandCutBy).toBe(100_002);
  });
});
