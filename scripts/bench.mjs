// npm run bench [names]: runs bench/*.bench.ts one after another and prints one table of what they report.
import { mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build as bundle } from "esbuild";
import { globSync } from "tinyglobby";
import { nodeBundleOptions } from "./nodeBundleOptions.mjs";
import { build, root, runScript } from "./prepare.mjs";
import { say } from "./vscode-host/say.mjs";

const require = createRequire(import.meta.url);
const outdir = path.join(root, "test-results", "bench");

/** @param {readonly string[]} files */
async function bundleBenches(files) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await bundle({
    ...nodeBundleOptions,
    absWorkingDir: root,
    entryPoints: [...files],
    outdir,
    outExtension: { ".js": ".cjs" },
    external: ["vscode", "playwright-core"],
    sourcemap: "inline",
  });
}

/** @param {number} value */
function figure(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

await runScript(async () => {
  await build();
  const names = process.argv.slice(2);
  const files = globSync("bench/*.bench.ts", { cwd: root })
    .sort()
    .filter((file) => names.length === 0 || names.some((name) => file.includes(name)));
  await bundleBenches(files);
  /** @type {{ group: string, what: string, value: string }[]} */
  const rows = [];
  for (const file of files) {
    const group = path.basename(file, ".bench.ts");
    say(`Measuring ${group}`);
    const module = require(path.join(outdir, `${group}.bench.cjs`));
    await module.bench(
      (/** @type {string} */ what, /** @type {number} */ value, /** @type {string} */ unit) => {
        rows.push({ group, what, value: `${figure(value)} ${unit}` });
      },
    );
  }
  const width = (/** @type {"group" | "what"} */ key) => Math.max(0, ...rows.map((row) => row[key].length));
  const [groupWidth, whatWidth] = [width("group"), width("what")];
  console.log();
  for (const { group, what, value } of rows) {
    console.log(`${group.padEnd(groupWidth)}  ${what.padEnd(whatWidth)}  ${value.padStart(12)}`);
  }
  return 0;
});
