import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { nodeBundleOptions } from "../../scripts/nodeBundleOptions.mjs";
import { tempFolder } from "./tempFolder.ts";

const root = resolve(import.meta.dirname, "../..");

/** Runs a program of examples/ in plain Node, with the SDK as an installed package. Resolves with what it printed. */
export async function runExample(
  name: string,
  args: readonly string[],
  env: Record<string, string | undefined>,
): Promise<string> {
  const folder = tempFolder("wave-example-");
  await build({
    ...nodeBundleOptions,
    entryPoints: [join(root, "src/sdk.ts")],
    outfile: join(folder, "node_modules/wave-hooks/sdk.cjs"),
  });
  // Loaded by the SDK with the first MCP server.
  await build({
    ...nodeBundleOptions,
    entryPoints: [join(root, "src/agent/mcp/mcpEntry.ts")],
    outfile: join(folder, "node_modules/wave-hooks/mcp.js"),
  });
  await writeFile(join(folder, "node_modules/wave-hooks/package.json"), '{"exports":{"./sdk":"./sdk.cjs"}}');
  const program = join(folder, "example.mjs");
  await build({
    entryPoints: [join(root, "examples", name)],
    external: ["wave-hooks/sdk"],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: program,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], { env });
  return stdout;
}
