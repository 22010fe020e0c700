import { spawn } from "node:child_process";
import { PlainError } from "./say.mjs";

/**
 * Runs a program to its end. Its output is shown only when it fails, unless `show` is set.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} [options]
 * @returns {Promise<string>} what it wrote
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      stdio: options.show ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.once("error", (error) =>
      reject(new PlainError(`${command} could not be started: ${error.message}`)),
    );
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else
        reject(
          new PlainError(`${command} ${args.join(" ")} failed (${signal ?? code}).\n${output.slice(-4000)}`),
        );
    });
  });
}
