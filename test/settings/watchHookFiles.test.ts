import { mkdirSync, type watch as nodeWatch, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { hookFileLocations } from "../../src/settings/hookFileLocations.ts";
import { listHooks } from "../../src/settings/listHooks.ts";
import { type HookFilesWatchOptions, watchHookFiles } from "../../src/settings/watchHookFiles.ts";
import { tempFolder } from "../support/tempFolder.ts";
import { writeTree } from "../support/writeTree.ts";

function settings(...commands: string[]) {
  return { hooks: { Stop: [{ hooks: commands.map((command) => ({ type: "command", command })) }] } };
}

/** A watch over a home folder and a project, as the settings page has it: each change makes a new list. */
async function watching(files: Record<string, unknown>, options: HookFilesWatchOptions = {}) {
  const root = tempFolder();
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "project"));
  writeTree(root, files);
  const find = () => hookFileLocations({ home: join(root, "home"), workdir: join(root, "project") });
  const listeners = new Set<() => void>();
  let changes = 0;
  const watch = watchHookFiles(
    find,
    () => {
      changes++;
      for (const listener of listeners) listener();
    },
    options,
  );
  onTestFinished(() => watch.dispose());
  await watch.ready;
  const commands = async () =>
    (await listHooks(await find(), { trusted: true })).hooks.map(({ hook }) => hook.command).join();

  /** Resolves once a list that was made because of a change shows these commands; the test's own time limit says no. */
  const shows = (expected: string) =>
    new Promise<void>((resolve) => {
      const look = async () => {
        if ((await commands()) !== expected) return;
        listeners.delete(listener);
        resolve();
      };
      const listener = () => void look();
      listeners.add(listener);
    });
  return {
    root,
    watch,
    changes: () => changes,
    /** Makes a change and waits until the watch has told of it. */
    showsAfter: async (change: () => void, expected: string) => {
      const shown = shows(expected);
      change();
      await shown;
    },
    write: (path: string, content: unknown) => writeTree(root, { [path]: content }),
  };
}

const user = "home/.wave/settings.json";
const project = "project/.wave/settings.json";

describe("watchHookFiles", () => {
  it("hears of files that are changed, replaced, deleted and made again", async () => {
    const { root, showsAfter, write } = await watching({ [user]: settings("a"), [project]: settings("p") });
    await showsAfter(() => write(user, settings("b")), "b,p");
    await showsAfter(() => {
      write("home/.wave/.settings.json.tmp", settings("c"));
      renameSync(join(root, "home/.wave/.settings.json.tmp"), join(root, user));
    }, "c,p");
    await showsAfter(() => write(user, settings("d")), "d,p");
    await showsAfter(() => rmSync(join(root, user)), "p");
    await showsAfter(() => write(user, settings("e")), "e,p");
    await showsAfter(() => write(project, settings("q")), "e,q");
  });

  it("hears of files in folders that did not exist when it began", async () => {
    const { showsAfter, write } = await watching({});
    await showsAfter(() => write(user, settings("a")), "a");
    await showsAfter(() => write(user, settings("b")), "b");
    await showsAfter(() => write("project/.wave/settings.local.json", settings("l")), "b,l");
    await showsAfter(() => write("home/.wave/plugins/p/hooks/hooks.json", settings("p")), "p,b,l");
    await showsAfter(() => write("home/.wave/plugins/p/hooks/hooks.json", settings("p2")), "p2,b,l");
  });

  it("hears of a home folder that did not exist when it began", async () => {
    const { root, showsAfter, write } = await watching({});
    rmSync(join(root, "home"), { recursive: true });
    rmSync(join(root, "project"), { recursive: true });
    await showsAfter(() => write(user, settings("a")), "a");
    await showsAfter(() => write(project, settings("p")), "a,p");
  });

  it("hears of a plugin folder that gets its hooks step by step", async () => {
    const { root, showsAfter, write } = await watching({
      [user]: settings("u"),
      "home/.wave/plugins/a/x": "",
    });
    const plugin = join(root, "home/.wave/plugins/b");
    mkdirSync(plugin);
    await showsAfter(() => {
      mkdirSync(join(plugin, "hooks"));
      writeFileSync(join(plugin, "hooks/hooks.json"), JSON.stringify(settings("b")));
    }, "b,u");
    await showsAfter(() => write("home/.wave/plugins/a/hooks/hooks.json", settings("a")), "a,b,u");
    await showsAfter(() => rmSync(plugin, { recursive: true }), "a,u");
  });

  it("hears when the folder itself is replaced, and of changes in the new one", async () => {
    const { root, showsAfter, write } = await watching({
      [user]: settings("old"),
      "spare/settings.json": settings("new"),
    });
    await showsAfter(() => {
      renameSync(join(root, "home/.wave"), join(root, "home/.wave-old"));
      renameSync(join(root, "spare"), join(root, "home/.wave"));
    }, "new");
    await showsAfter(() => write(user, settings("newer")), "newer");
    await showsAfter(() => rmSync(join(root, "home/.wave"), { recursive: true }), "");
    await showsAfter(() => write(user, settings("again")), "again");
  });

  it("hears of changes behind links, also where a link or a link's link is set anew", async () => {
    const files = { "dotfiles/one.json": settings("one"), "elsewhere/two.json": settings("two") };
    const { root, showsAfter, write } = await watching(files);
    mkdirSync(join(root, "links"));
    symlinkSync("../dotfiles/one.json", join(root, "links/middle"));
    await showsAfter(() => {
      mkdirSync(join(root, "home/.wave"));
      symlinkSync("../../links/middle", join(root, user));
    }, "one");
    await showsAfter(() => write("dotfiles/one.json", settings("one changed")), "one changed");
    await showsAfter(() => {
      symlinkSync("../elsewhere/two.json", join(root, "links/new"));
      renameSync(join(root, "links/new"), join(root, "links/middle"));
    }, "two");
    await showsAfter(() => write("elsewhere/two.json", settings("two changed")), "two changed");
  });

  it("says nothing of other files beside those, and one thing of many changes at once", async () => {
    const { showsAfter, changes, write } = await watching({ [user]: settings("a") });
    for (let index = 0; index < 20; index++) {
      write("home/other.txt", String(index));
      write("home/.wave/.settings.json.lock", String(index));
      write("home/.wave/sessions/session_1.json", {});
    }
    await showsAfter(() => {
      for (let index = 0; index <= 50; index++) write(user, settings(`b${index}`));
    }, "b50");
    expect(changes()).toBeLessThanOrEqual(3);
  });

  it("looks when it is asked to, and says only what is new", async () => {
    const deaf = (() => {
      throw Object.assign(new Error("ENOSPC: no watches left"), { code: "ENOSPC" });
    }) as unknown as typeof nodeWatch;
    const errors: unknown[] = [];
    const { watch, changes, write } = await watching(
      { [user]: settings("a") },
      { watch: deaf, onError: (error) => errors.push(error) },
    );
    expect(errors).toHaveLength(1);
    await watch.check();
    expect(changes()).toBe(0);
    write(user, settings("another"));
    await watch.check();
    expect(changes()).toBe(1);
    await watch.check();
    expect(changes()).toBe(1);
  });

  it("polls where the system cannot watch", async () => {
    const deaf = (() => {
      throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
    }) as unknown as typeof nodeWatch;
    const { showsAfter, write } = await watching({ [user]: settings("a") }, { watch: deaf });
    await showsAfter(() => write(user, settings("another")), "another");
  });

  it("hears nothing any more after its disposal", async () => {
    const { watch, changes, write } = await watching({ [user]: settings("a") });
    const pending = watch.check();
    watch.dispose();
    watch.dispose();
    write(user, settings("another"));
    await pending;
    await watch.check();
    expect(changes()).toBe(0);
  });
});
