import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { medianTime, type Report } from "./report.ts";

const dist = path.resolve("dist");

/** Loads a bundle in a fresh Node, where `vscode` answers every property with a class that does nothing. */
const loader = `
  const Module = require("node:module");
  const load = Module._load;
  class Nothing { constructor() { return anything; } }
  const anything = new Proxy(Nothing, { get: (_, key) => (key === Symbol.toPrimitive ? () => "" : anything), apply: () => anything });
  Module._load = (name, ...rest) => (name === "vscode" ? anything : load(name, ...rest));
  const started = performance.now();
  require(process.argv[1]);
  process.stdout.write(String(performance.now() - started));
`;

/** Sizes of the bundles, and how long the host's take to load. */
export async function bench(report: Report): Promise<void> {
  for (const name of ["extension.js", "sdk.js", "mcp.js", "settings.js", "chat.js"]) {
    const file = path.join(dist, name);
    if (!existsSync(file)) continue;
    const content = readFileSync(file);
    report(`${name}, minified`, content.length / 1024, "KB");
    report(`${name}, compressed`, gzipSync(content).length / 1024, "KB");
  }
  const bare = await medianTime(5, () => execFileSync(process.execPath, ["-e", ""]));
  for (const name of ["extension.js", "sdk.js", "mcp.js"]) {
    const file = path.join(dist, name);
    if (!existsSync(file)) continue;
    const times: number[] = [];
    for (let run = 0; run < 7; run += 1) {
      times.push(Number(execFileSync(process.execPath, ["-e", loader, file], { encoding: "utf8" })));
    }
    times.sort((a, b) => a - b);
    const median = times[3] ?? 0;
    report(`${name}, loading`, median, "ms");
    report(`${name}, loading against the start of a bare Node`, median / bare, "x");
  }
}
