// Builds dist/: the host bundle, the SDK, MCP, and the two webview pages.
// `node esbuild.mjs [names, e.g. settings chat] [--types]`: --types also emits the SDK's declarations.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import * as esbuild from "esbuild";
import { nodeBundleOptions } from "./scripts/nodeBundleOptions.mjs";

const root = import.meta.dirname;
const require = createRequire(import.meta.url);

/** Kept out of the other bundles and loaded by `import()` on first use: CommonJS has no code splitting in esbuild. */
const lazyBundles = [
  { source: path.join(root, "src/sdk.ts"), file: "sdk.js" },
  { source: path.join(root, "src/agent/mcp/mcpEntry.ts"), file: "mcp.js" },
  { source: path.join(root, "src/extension/chat/firstUse.ts"), file: "firstUse.js" },
];

/** @type {{ entry: string, file: string, platform: "node" | "browser" }[]} */
const bundles = [
  { entry: "src/extension/extension.ts", file: "extension.js", platform: "node" },
  { entry: "src/sdk.ts", file: "sdk.js", platform: "node" },
  { entry: "src/agent/mcp/mcpEntry.ts", file: "mcp.js", platform: "node" },
  { entry: "src/extension/chat/firstUse.ts", file: "firstUse.js", platform: "node" },
  { entry: "webview-ui/settings/main.tsx", file: "settings.js", platform: "browser" },
  { entry: "webview-ui/chat/main.tsx", file: "chat.js", platform: "browser" },
];

/** @type {esbuild.Plugin} */
const lazyBundlePlugin = {
  name: "lazy-bundles",
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, (args) => {
      if (args.kind !== "dynamic-import") return undefined;
      const target = path.join(args.resolveDir, args.path);
      const bundle = lazyBundles.find((candidate) => candidate.source === target);
      return bundle && { path: `./${bundle.file}`, external: true };
    });
  },
};

/** @type {esbuild.BuildOptions} */
const hostOptions = {
  ...nodeBundleOptions,
  // import() of a lazy bundle becomes require(): no second module system in the extension host.
  supported: { "dynamic-import": false },
  plugins: [lazyBundlePlugin, ...nodeBundleOptions.plugins],
  sourcemap: "linked",
  sourcesContent: false,
};

/** @type {esbuild.BuildOptions} */
const browserOptions = {
  platform: "browser",
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  define: { "process.env.NODE_ENV": '"production"' },
  loader: { ".ttf": "file" },
};

/**
 * @param {(typeof bundles)[number]} bundle
 * @param {string} outdir
 */
async function build(bundle, outdir) {
  const result = await esbuild.build({
    ...(bundle.platform === "node" ? hostOptions : browserOptions),
    absWorkingDir: root,
    entryPoints: [{ in: bundle.entry, out: path.parse(bundle.file).name }],
    outdir,
    bundle: true,
    minify: true,
    metafile: true,
    legalComments: "eof",
    logLevel: "warning",
  });
  return result.metafile;
}

/** @param {esbuild.Metafile} metafile */
function report(metafile) {
  for (const [file, output] of Object.entries(metafile.outputs)) {
    if (file.endsWith(".map")) continue;
    const kilobytes = (output.bytes / 1024).toFixed(0).padStart(6);
    console.log(`  ${path.basename(file).padEnd(14)} ${kilobytes} KB   ${largestInputs(output)}`);
  }
}

/** @param {esbuild.Metafile["outputs"][string]} output */
function largestInputs(output) {
  /** @type {Map<string, number>} */
  const byPackage = new Map();
  for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? "own code";
    byPackage.set(name, (byPackage.get(name) ?? 0) + bytesInOutput);
  }
  return [...byPackage]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([name, bytes]) => `${name} ${(bytes / 1024).toFixed(0)}`)
    .join(", ");
}

function copyCodicons() {
  const folder = path.dirname(require.resolve("@vscode/codicons/dist/codicon.css"));
  for (const file of ["codicon.css", "codicon.ttf"])
    cpSync(path.join(folder, file), path.join(root, "dist", file));
}

function emitTypes() {
  const tsc = require.resolve("typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", path.join(root, "tsconfig.types.json")], { stdio: "inherit" });
}

/** Builds what is named, or everything; of each only what has an entry. @returns {Promise<boolean>} whether all went well */
async function main() {
  const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
  const wanted = bundles.filter(({ file }) => names.length === 0 || names.includes(path.parse(file).name));
  const outdir = path.join(root, "dist");
  if (names.length === 0) rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  copyCodicons();
  let ok = true;
  for (const bundle of wanted) {
    if (!existsSync(path.join(root, bundle.entry))) {
      console.log(`  ${bundle.file.padEnd(14)} skipped: there is no ${bundle.entry}`);
      continue;
    }
    try {
      const metafile = await build(bundle, outdir);
      report(metafile);
      writeFileSync(path.join(outdir, `${bundle.file}.meta.json`), JSON.stringify(metafile));
    } catch (error) {
      // esbuild has written its errors to the terminal already.
      if (!(error instanceof Error && "errors" in error)) throw error;
      ok = false;
    }
  }
  if (ok && process.argv.includes("--types") && existsSync(path.join(root, "src/sdk.ts"))) emitTypes();
  return ok;
}

if (!(await main())) process.exitCode = 1;
