import { readlink, realpath } from "node:fs/promises";
import path from "node:path";

/** A path as the model writes it, made absolute: `~/` is the home folder, the rest is relative to the current directory. */
export function resolveToolPath(given: string, place: { cwd: string; home: string }): string {
  if (given === "~") return place.home;
  if (given.startsWith("~/")) return path.join(place.home, given.slice(2));
  return path.resolve(place.cwd, given);
}

/**
 * Where a path leads once links are resolved. What does not exist yet is resolved as far as it does: a link in the middle
 * of a new file's path counts. A dangling link leads to its target.
 */
export async function realPathOf(absolute: string, depth = 0): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    const parent = path.dirname(absolute);
    if (parent === absolute || depth > 40 || (error as NodeJS.ErrnoException).code === "ELOOP")
      return absolute;
    const target = await readlink(absolute).catch(() => undefined);
    const realParent = await realPathOf(parent, depth);
    if (target === undefined) return path.join(realParent, path.basename(absolute));
    return realPathOf(path.resolve(realParent, target), depth + 1);
  }
}

export function isInside(file: string, directory: string): boolean {
  const relative = path.relative(directory, file);
  return (
    relative === "" ||
    (!relative.startsWith(`..${path.sep}`) && relative !== ".." && !path.isAbsolute(relative))
  );
}
