import path from "node:path";
import ignore from "ignore";

export interface PathRuleBases {
  home: string;
  /** Rules written relative (`src/**`, `./src/**`, `/src/**`) start here: they must not move with `cd`. */
  projectDir: string;
}

/**
 * Whether the specifier of a `Read` or `Edit` rule covers a file, in Claude Code's notation: `//abs`, `~/home`, `/project`,
 * `./project`, `project`; the rest as in .gitignore. `file` is absolute.
 */
export function specifierCoversPath(
  specifier: string,
  file: string,
  bases: PathRuleBases,
  options: { ignoreCase: boolean },
): boolean {
  const { base, pattern } = anchored(specifier, bases, path.parse(file).root);
  const relative = path.relative(base, file);
  if (relative === "") return pattern === "/**" || pattern === "/";
  if (relative.startsWith("..") || path.isAbsolute(relative)) return false;
  return ignore({ ignorecase: options.ignoreCase, allowRelativePaths: false })
    .add(pattern)
    .ignores(relative.split(path.sep).join("/"));
}

function anchored(specifier: string, bases: PathRuleBases, root: string): { base: string; pattern: string } {
  if (specifier.startsWith("//")) return { base: root, pattern: specifier.slice(1) };
  if (specifier.startsWith("~/")) return { base: bases.home, pattern: specifier.slice(1) };
  if (/^[A-Za-z]:[\\/]/.test(specifier)) {
    return { base: root, pattern: specifier.slice(2).replaceAll("\\", "/") };
  }
  if (specifier.startsWith("./")) return { base: bases.projectDir, pattern: specifier.slice(1) };
  // A leading `!` or `#` is part of the name here, not gitignore's negation or comment.
  return { base: bases.projectDir, pattern: specifier.replace(/^[!#]/, "\\$&") };
}
