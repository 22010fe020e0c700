import { cpSync, mkdirSync, realpathSync } from "node:fs";
import path from "node:path";

const samples = path.resolve(import.meta.dirname, "../samples");

/**
 * Copies the sample project and the sample user's home folder, so that nothing done to them lasts.
 * @param {string} dir an empty folder
 * @returns {{ home: string, project: string }} absolute paths
 */
export function copySample(dir) {
  const real = realpathSync(dir);
  const home = path.join(real, "home");
  const project = path.join(real, "sample-project");
  mkdirSync(home, { recursive: true });
  cpSync(path.join(samples, "home"), home, { recursive: true });
  cpSync(path.join(samples, "project"), project, { recursive: true });
  return { home, project };
}
