import { realpath } from "node:fs/promises";
import path from "node:path";

/** What decides which commands run by themselves: hooks, permissions, MCP servers, git's hooks, the editor's tasks. */
const protectedPaths: readonly { pattern: RegExp; what: string }[] = [
  { pattern: /\/\.wave\/settings(?:\.local)?\.json$/, what: "it configures hooks and permissions" },
  { pattern: /\/\.wave\/plugins(?:\/|$)/, what: "it belongs to a plugin, which may bring hooks" },
  { pattern: /\/hooks\/hooks\.json$/, what: "it configures the hooks of a plugin" },
  { pattern: /\/\.(?:github|copilot)\/hooks(?:\/|$)/, what: "it configures hooks" },
  { pattern: /\/\.mcp\.json$/, what: "it names programs that run as MCP servers" },
  { pattern: /\/\.git(?:\/|$)/, what: "git may run commands from there" },
  { pattern: /\/\.vscode(?:\/|$)/, what: "the editor may run commands from there" },
];

export const commandNamesProtected =
  "The command names files that configure hooks, permissions or programs that run by themselves.";

/** The reasons as the sentences that questions show: keys for a user interface that translates them. */
export const protectionReasons: readonly string[] = [
  ...protectedPaths.map(({ what }) => asSentence(what)),
  commandNamesProtected,
];

/** "it configures hooks" as "It configures hooks." */
export function asSentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/**
 * Why writing this file is always asked about, or undefined. `file`: as given; `realFile`: with links resolved.
 * `configFiles`: the settings files in force; one of them may be a link to anywhere.
 */
export async function whyProtected(
  file: string,
  realFile: string,
  configFiles: readonly string[],
): Promise<string | undefined> {
  const found = protectionOf(file) ?? protectionOf(realFile);
  if (found) return found;
  for (const configFile of configFiles) {
    const target = await realpath(configFile).catch(() => undefined);
    if (target !== undefined && target === realFile) return "it configures hooks and permissions";
  }
  return undefined;
}

function protectionOf(file: string): string | undefined {
  const comparable = file.split(path.sep).join("/").toLowerCase();
  return protectedPaths.find(({ pattern }) => pattern.test(comparable))?.what;
}

/**
 * Whether a shell command names such a place, `files` being the files of its words, links resolved: then nothing but a
 * rule for that very command may let it through unasked.
 */
export function namesProtectedPlace(command: string, files: readonly string[]): boolean {
  if (files.some((file) => protectionOf(file) !== undefined)) return true;
  return /\.wave\b|\.copilot\b|\.github\/hooks|hooks\.json|\.mcp\.json|\.git\/|\.vscode\b/i.test(command);
}
