import { realPathOf, resolveToolPath } from "./resolvePath.ts";
import { readShellLine } from "./shellSyntax.ts";

/** So many words are looked at: a longer line names no more files that a rule would find. */
const mostWords = 500;

/**
 * The files that a shell line may name: each word as a path, after each literal `cd` of the line as well, and where links
 * lead. Words that are no files do no harm; files that the line only builds while it runs are not among them.
 */
export async function filesInCommand(
  command: string,
  place: { cwd: string; home: string },
): Promise<readonly string[]> {
  const directories = [place.cwd];
  const files = new Set<string>();
  let words = 0;
  for (const part of readShellLine(command).parts) {
    for (const word of part.words) {
      const name = word.replace(/^[\w-]+=/, "");
      if (name === "" || name.startsWith("-") || ++words > mostWords) continue;
      for (const cwd of directories) files.add(resolveToolPath(name, { cwd, home: place.home }));
    }
    const target = part.words[1];
    if (/^(?:cd|pushd)$/.test(part.words[0] ?? "") && target !== undefined)
      directories.push(resolveToolPath(target, { cwd: directories.at(-1) ?? place.cwd, home: place.home }));
  }
  const real = await Promise.all([...files].map((file) => realPathOf(file)));
  return [...new Set([...files, ...real])];
}
