import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { HookConfigurationSource } from "../src/hooks/hookConfigurationSource.ts";
import type { HookConfiguration, HookDefinition } from "../src/hooks/hookDefinition.ts";
import type { HookEvent, HookSession } from "../src/hooks/hookEvent.ts";
import { HookManager } from "../src/hooks/hookManager.ts";
import { ProcessCommandRunner } from "../src/process/processCommandRunner.ts";
import { HookConfigurationStore } from "../src/settings/hookConfigurationStore.ts";
import type { Report } from "./report.ts";

const event: HookEvent = {
  name: "PreToolUse",
  toolName: "Write",
  toolInput: { file_path: "/p/a.txt", content: "x".repeat(1000) },
  toolUseId: "call-1",
};
const cwd = tmpdir();
const session: HookSession = {
  sessionId: "s",
  transcriptPath: "/t",
  cwd,
  projectDir: cwd,
  permissionMode: "default",
};

/** What the engine adds to running hooks, what it costs where none matches, reloading, and memory under much output. */
export async function bench(report: Report): Promise<void> {
  await overhead(report);
  await noMatch(report);
  await reload(report);
  await memory(report);
}

function hook(command: string, matcher: string): HookDefinition {
  return {
    event: "PreToolUse",
    writtenEvent: "PreToolUse",
    matcher,
    action: { type: "command", command },
    timeoutMs: 600_000,
    timeoutIsExplicit: false,
    async: false,
    asyncRewake: false,
    provenance: { source: "project", dialect: "wave" },
  };
}

function managerOf(hooks: readonly HookDefinition[], runner: ProcessCommandRunner): HookManager {
  const configuration: HookConfiguration = { hooks, revision: 1 };
  const source: HookConfigurationSource = { latest: configuration, current: () => configuration };
  return new HookManager({ workdir: cwd, configuration: source, runner, env: process.env });
}

/** A different regular expression for each hook, none of which takes the event. */
const others = (count: number) =>
  Array.from({ length: count }, (_, index) => hook("exit 2", `^(Tool${index}|Other${index})$`));

async function overhead(report: Report): Promise<void> {
  const command = "cat > /dev/null; echo done";
  const runner = new ProcessCommandRunner();
  for (const count of [0, 1000]) {
    const manager = managerOf([...others(count), hook(command, "Write")], runner);
    const input = JSON.stringify(event);
    const ways = { hook: () => manager.fire(event, session), bare: () => bareSpawn(command, input) };
    const pairs: { hook: Cost; bare: Cost }[] = [];
    for (let pair = 0; pair < 310; pair += 1) {
      const costs: Partial<Record<keyof typeof ways, Cost>> = {};
      for (const way of pair % 2 === 0 ? (["bare", "hook"] as const) : (["hook", "bare"] as const)) {
        costs[way] = await costOf(ways[way]);
      }
      if (pair >= 10) pairs.push(costs as { hook: Cost; bare: Cost });
    }
    const beside = count === 0 ? "" : ` beside ${count} others`;
    const middle = (pick: (pair: { hook: Cost; bare: Cost }) => number) => median(pairs.map(pick));
    report(
      `one hook${beside} less a bare spawn, median of 300 pairs`,
      middle(({ hook, bare }) => hook.ms - bare.ms),
      "ms",
    );
    // On a busy machine the wait for a processor hides everything else; this is what the host itself has to do.
    report(
      `one hook${beside} less a bare spawn, the host's processor time`,
      middle(({ hook, bare }) => hook.cpuMs - bare.cpuMs),
      "ms",
    );
    report(
      `one hook${beside} against a bare spawn`,
      middle(({ hook }) => hook.ms) / middle(({ bare }) => bare.ms),
      "x",
    );
    await manager.dispose();
  }
  await runner.dispose();
}

interface Cost {
  ms: number;
  cpuMs: number;
}

async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const ms = await timed(work);
  const { user, system } = process.cpuUsage(cpu);
  return { ms, cpuMs: (user + system) / 1000 };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function bareSpawn(command: string, input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn("/bin/sh", ["-c", command], {
      cwd,
      env: process.env,
      stdio: "pipe",
      detached: true,
      windowsHide: true,
    });
    const out: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => out.push(chunk));
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(out).toString()));
    child.stdin?.end(input);
  });
}

async function noMatch(report: Report): Promise<void> {
  const runner = new ProcessCommandRunner();
  const perEvent: Record<number, number> = {};
  const calls = 200_000;
  for (const count of [10, 1000]) {
    const manager = managerOf(others(count), runner);
    const rounds: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      const started = performance.now();
      for (let call = 0; call < calls; call += 1) await manager.fire(event, session);
      rounds.push(((performance.now() - started) / calls) * 1000);
    }
    perEvent[count] = median(rounds);
  }
  report("an event that matches none of 1,000 hooks", perEvent[1000] ?? 0, "µs");
  report("the same, against 10 hooks", (perEvent[1000] ?? 0) / (perEvent[10] ?? 1), "x");
}

async function reload(report: Report): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "wave-bench-"));
  const file = path.join(folder, ".wave", "settings.json");
  await mkdir(path.dirname(file));
  const groups = Array.from({ length: 1000 }, (_, index) => ({
    matcher: `^(Tool${index}|Other${index})$`,
    hooks: [{ type: "command", command: `echo ${index}` }],
  }));
  const write = (count: number) =>
    writeFile(file, JSON.stringify({ hooks: { PreToolUse: groups.slice(0, count) } }, null, 2));
  const store = new HookConfigurationStore({
    places: { home: path.join(folder, "home"), workdir: folder, env: {} },
    trusted: () => true,
  });
  const runner = new ProcessCommandRunner();
  const manager = new HookManager({ workdir: folder, configuration: store, runner, env: {} });
  const times: number[] = [];
  for (let round = 0; round < 25; round += 1) {
    await write(1000 - (round % 2));
    const started = performance.now();
    await manager.fire(event, session);
    if (round >= 5) times.push(performance.now() - started);
  }
  report("the first event after a change of a file with 1,000 hooks", median(times), "ms");
  const unchanged: number[] = [];
  for (let round = 0; round < 300; round += 1) {
    unchanged.push(await timed(() => manager.fire(event, session)));
  }
  report("an event with unchanged files, look at the disk included", median(unchanged), "ms");
  await rm(folder, { recursive: true, force: true });
}

async function memory(report: Report): Promise<void> {
  const runner = new ProcessCommandRunner();
  const run = async (bytes: number): Promise<number> => {
    const manager = managerOf([hook(`head -c ${bytes} /dev/zero; exit 1`, "Write")], runner);
    const before = process.memoryUsage().rss;
    let most = before;
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 2);
    await manager.fire(event, session);
    clearInterval(look);
    return Math.max(most, process.memoryUsage().rss) - before;
  };
  // What any output needs is no matter of its size: code and pools, and a young generation that has grown as in every host
  // that does something.
  let garbage: unknown[] = [];
  for (let index = 0; index < 300_000; index += 1)
    garbage = index % 1000 === 0 ? [] : [...garbage.slice(-10), { index }];
  for (let round = 0; round < 3; round += 1) await run(2_000_000);
  report("more memory (RSS) while a hook prints 100 MB", (await run(104_857_600)) / 2 ** 20, "MB");
  await runner.dispose();
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
