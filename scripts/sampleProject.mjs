import { cpSync, realpathSync } from "node:fs";
import path from "node:path";

const samples = path.resolve(import.meta.dirname, "../samples");

/** Copies the sample user's home folder and the sample project, so that nothing done to them lasts. @param {string} home @param {string} project */
export function fillWithSample(home, project) {
  cpSync(path.join(samples, "home"), home, { recursive: true });
  cpSync(path.join(samples, "project"), project, { recursive: true });
}

/**
 * @param {string} dir an empty folder
 * @returns {{ home: string, project: string }} absolute paths of the two copies in it
 */
export function copySample(dir) {
  const real = realpathSync(dir);
  const home = path.join(real, "home");
  const project = path.join(real, "sample-project");
  fillWithSample(home, project);
  return { home, project };
}
