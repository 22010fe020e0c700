import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { deleteHookFromFile, undoFileChange } from "../src/settings/deleteHook.ts";
import { HookConfigurationStore } from "../src/settings/hookConfigurationStore.ts";
import { hookFileLocations } from "../src/settings/hookFileLocations.ts";
import { listHooks } from "../src/settings/listHooks.ts";
import { medianTime, type Report } from "./report.ts";

/** Listing, deleting, reloading and looking for changes, by the number of hooks in one file. */
export async function bench(report: Report): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), "wave-bench-"));
  try {
    for (const count of [1000, 10_000]) await listAndDelete(home, count, report);
    await reloadAndCheck(home, report);
  } finally {
    await rm(home, { recursive: true });
  }
}

/** Half of the hooks in groups of their own, half in one group, all with comments. */
function settingsText(count: number, mark = ""): string {
  const hook = (index: number) =>
    `{ "type": "command", "command": "npx prettier --check ${index}${mark}", "description": "Checks ${index}", "timeout": 30 }`;
  const half = Math.floor(count / 2);
  const groups = Array.from(
    { length: half },
    (_, index) =>
      `      // Number ${index}\n      { "matcher": "Tool${index}|Write", "hooks": [${hook(index)}] }`,
  );
  const list = Array.from({ length: count - half }, (_, index) => `        ${hook(half + index)}`);
  return `{
  "hooks": {
    "PreToolUse": [\n${groups.join(",\n")}\n    ],
    "Stop": [{\n      "hooks": [\n${list.join(",\n")}\n      ]\n    }]
  }
}\n`;
}

async function writeSettings(home: string, text: string): Promise<void> {
  await mkdir(path.join(home, ".wave"), { recursive: true });
  await writeFile(path.join(home, ".wave/settings.json"), text);
}

async function listAndDelete(home: string, count: number, report: Report): Promise<void> {
  const text = settingsText(count);
  await writeSettings(home, text);
  const list = async () => listHooks(await hookFileLocations({ home }), { trusted: true });
  const listing = await medianTime(15, list);
  report(`listing ${count} hooks`, listing, "ms");
  const plainText = text.replaceAll(/^ *\/\/.*$/gm, "");
  const bare = await medianTime(15, () => JSON.parse(plainText));
  report(`listing ${count} hooks against a bare JSON.parse`, listing / bare, "x");

  const { hooks } = await list();
  const aim = hooks[Math.floor(count / 3)]?.aim;
  if (!aim || hooks.length !== count) throw new Error(`${hooks.length} of ${count} hooks were listed.`);
  const times: number[] = [];
  for (let run = 0; run < 15; run++) {
    const started = performance.now();
    const change = await deleteHookFromFile(aim);
    times.push(performance.now() - started);
    await undoFileChange(change);
  }
  times.sort((a, b) => a - b);
  report(`deleting one of ${count} hooks, flushed to the disk`, times[7] ?? 0, "ms");
}

async function reloadAndCheck(home: string, report: Report): Promise<void> {
  const workdir = path.join(home, "project");
  await mkdir(path.join(home, ".wave/plugins"), { recursive: true });
  for (let plugin = 0; plugin < 10; plugin++) await mkdir(path.join(home, `.wave/plugins/p${plugin}`));
  const store = new HookConfigurationStore({ places: { home, workdir }, trusted: () => true });
  const times: number[] = [];
  for (let run = 0; run < 21; run++) {
    await writeSettings(home, settingsText(1000, ` ${run}`));
    const started = performance.now();
    const { hooks } = await store.current();
    times.push(performance.now() - started);
    if (hooks.length !== 1000) throw new Error(`${hooks.length} of 1000 hooks were loaded.`);
  }
  times.sort((a, b) => a - b);
  report("reloading 1000 hooks after a change", times[10] ?? 0, "ms");
  // Right after a change files are read again, because file systems keep coarse time.
  await delay(2_100);
  const checks = 200;
  const check = await medianTime(9, async () => {
    for (let index = 0; index < checks; index++) await store.current();
  });
  report("looking for changes, 1000 hooks, 10 plugins, none changed", check / checks, "ms");
  const file = path.join(home, ".wave/settings.json");
  const bare = await medianTime(9, async () => {
    for (let index = 0; index < checks; index++)
      await Promise.all(Array.from({ length: 14 }, () => stat(file, { bigint: true })));
  });
  report("the same, against a bare stat of 14 files", check / bare, "x");
}
