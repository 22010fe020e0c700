import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { LanguageModelV3, LanguageModelV3StreamPart } from "@ai-sdk/provider";
import { Agent } from "../src/agent/agent.ts";
import type { Report } from "./report.ts";

/** What a turn costs beside model, hooks and tools; what a thousand of them leave behind; how soon the SDK asks its model. */
export async function bench(report: Report): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "wave-bench-"));
  try {
    await benchTurns(report, folder);
    benchStart(report, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchTurns(report: Report, folder: string): Promise<void> {
  const agent = await Agent.create({
    workdir: folder,
    home: folder,
    env: { PATH: process.env.PATH },
    languageModel: instantModel(),
    contextWindow: 1e9,
  });
  await agent.sendMessage("warm up");
  const before = resources();
  const early = await timeTurns(agent, 1000);
  report("1,000 turns leave behind: timers, sockets, processes, listeners", resources() - before, "more");
  while (agent.messages.length < 10_000) await agent.sendMessage("again");
  const late = await timeTurns(agent, 200);
  report("agent overhead per turn, short session", early, "ms");
  report("agent overhead per turn at 10,000 messages", late, "ms");
  report("at 10,000 messages against a short session", late / early, "x");
  const files = openFiles();
  await agent.destroy();
  if (files !== undefined) report("open files after destroy", (openFiles() ?? 0) - files, "more");
}

/** Milliseconds per turn: the middle of single measurements. */
async function timeTurns(agent: Agent, count: number): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const started = performance.now();
    await agent.sendMessage("again");
    times.push(performance.now() - started);
  }
  return middle(times);
}

function resources(): number {
  return process.getActiveResourcesInfo().length;
}

function openFiles(): number | undefined {
  return existsSync("/proc/self/fd") ? readdirSync("/proc/self/fd").length : undefined;
}

const starter = `
  const started = performance.now();
  const cpuStarted = process.cpuUsage();
  const { Agent } = require(process.argv[1]);
  const http = require("node:http");
  const server = http.createServer((request, response) => {
    const cpu = process.cpuUsage(cpuStarted);
    process.stdout.write(JSON.stringify([performance.now() - started, (cpu.user + cpu.system) / 1000]));
    response.writeHead(400).end("{}");
  });
  server.listen(0, "127.0.0.1", async () => {
    const agent = await Agent.create({ workdir: process.argv[2], home: process.argv[2], model: "m", apiKey: "k", baseURL: "http://127.0.0.1:" + server.address().port + "/v1" });
    await agent.sendMessage("hi");
    await agent.destroy();
    server.close();
    server.closeAllConnections();
  });
`;

function benchStart(report: Report, folder: string): void {
  const sdk = path.resolve("dist/sdk.js");
  if (!existsSync(sdk)) return;
  const runs = Array.from(
    { length: 7 },
    () =>
      JSON.parse(execFileSync(process.execPath, ["-e", starter, sdk, folder], { encoding: "utf8" })) as [
        number,
        number,
      ],
  );
  const bare = middle(Array.from({ length: 7 }, bareNode));
  report("dist/sdk.js from its load to the first request", middle(runs.map(([wall]) => wall)), "ms");
  report(
    "the same in processor time, which other programs disturb less",
    middle(runs.map(([, cpu]) => cpu)),
    "ms",
  );
  report("the same against the whole start of a bare Node", middle(runs.map(([wall]) => wall)) / bare, "x");
}

function bareNode(): number {
  const started = performance.now();
  execFileSync(process.execPath, ["-e", ""]);
  return performance.now() - started;
}

function middle(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Answers at once, in one piece. */
function instantModel(): LanguageModelV3 {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const parts: LanguageModelV3StreamPart[] = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "An answer of a usual length, for the record." },
    { type: "text-end", id: "1" },
    { type: "finish", usage, finishReason: { unified: "stop", raw: "stop" } },
  ];
  return {
    specificationVersion: "v3",
    provider: "bench",
    modelId: "instant",
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error("not used")),
    doStream: () =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV3StreamPart>({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      }),
  };
}
