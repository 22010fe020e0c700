import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import ignore, { type Ignore } from "ignore";
import { runSearch } from "./ripgrep.ts";

export interface FileListOptions {
  ripgrep: string | undefined;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** The most files that a search looks at. */
const mostFiles = 200_000;

/**
 * Files below a directory, by paths relative to it with `/`: hidden ones too, without `.git` and what .gitignore leaves out.
 * `isCut`: there are more.
 */
export async function listFiles(
  directory: string,
  options: FileListOptions,
): Promise<{ files: string[]; isCut: boolean }> {
  if (options.ripgrep === undefined) return walk(directory, options.signal);
  const files: string[] = [];
  const result = await runSearch({
    file: options.ripgrep,
    args: ["--files", "--hidden", "--no-require-git", "--null", "--glob", "!.git", "--no-messages", "."],
    cwd: directory,
    env: options.env,
    signal: options.signal,
    separator: "\0",
    onRecord: (record) => {
      files.push(record.replace(/^\.[\\/]/, "").replaceAll("\\", "/"));
      return files.length < mostFiles;
    },
  });
  return { files, isCut: result.wasStopped };
}

/** Where there is no ripgrep. */
async function walk(root: string, signal: AbortSignal): Promise<{ files: string[]; isCut: boolean }> {
  const files: string[] = [];
  const visit = async (relative: string, rules: readonly IgnoreRules[]): Promise<boolean> => {
    signal.throwIfAborted();
    const entries = await readdir(path.join(root, relative), { withFileTypes: true }).catch(() => []);
    const inner = await withRulesOf(root, relative, rules);
    for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
      if (entry.name === ".git") continue;
      const name = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (isIgnored(name, entry.isDirectory(), inner)) continue;
      if (entry.isDirectory()) {
        if (!(await visit(name, inner))) return false;
      } else if (entry.isFile()) {
        if (files.length >= mostFiles) return false;
        files.push(name);
      }
    }
    return true;
  };
  const isWhole = await visit("", []);
  return { files, isCut: !isWhole };
}

interface IgnoreRules {
  /** Relative to the root; the rules' paths are relative to it. */
  base: string;
  rules: Ignore;
}

async function withRulesOf(
  root: string,
  relative: string,
  outer: readonly IgnoreRules[],
): Promise<readonly IgnoreRules[]> {
  const file = path.join(root, relative, ".gitignore");
  if (!existsSync(file)) return outer;
  const text = await readFile(file, "utf8").catch(() => "");
  return [...outer, { base: relative, rules: ignore().add(text) }];
}

function isIgnored(name: string, isDirectory: boolean, all: readonly IgnoreRules[]): boolean {
  return all.some(({ base, rules }) => {
    const inner = base === "" ? name : name.slice(base.length + 1);
    return rules.ignores(isDirectory ? `${inner}/` : inner);
  });
}
