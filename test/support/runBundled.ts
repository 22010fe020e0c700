import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { tempFolder } from "./tempFolder.ts";

/** Bundles a TypeScript program, so that plain node can run it, as often as one likes, as whatever user. */
export function bundleProgram(
  source: string,
): (args: readonly string[], options?: { uid?: number }) => ChildProcess {
  const folder = tempFolder("wave-hooks-program-");
  const program = join(folder, "program.cjs");
  buildSync({
    entryPoints: [source],
    outfile: program,
    bundle: true,
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
    logLevel: "silent",
  });
  // Readable for users other than the one who runs the tests.
  chmodSync(folder, 0o755);
  return (args, { uid } = {}) =>
    spawn(process.execPath, [program, ...args], {
      cwd: "/",
      stdio: ["ignore", "pipe", "inherit"],
      ...(uid === undefined ? {} : { uid }),
    });
}

/** What the process printed, when it has ended. Rejects for an exit code other than 0. */
export async function outputOf(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (code !== 0) throw new Error(`The program ended with code ${code}.`);
  return Buffer.concat(chunks).toString();
}
