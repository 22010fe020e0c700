import { join } from "node:path";
import { effectiveMembers, memberValue } from "../../settings/jsonTree.ts";
import { jsonValue } from "../../settings/jsonValue.ts";
import { SettingsDocument } from "../../settings/settingsDocument.ts";
import { describeProblem } from "../../settings/settingsProblem.ts";
import { readSettingsText } from "../../settings/settingsText.ts";
import type { FileProblem } from "../subagents/definitionFiles.ts";
import { type McpServerConfig, parseMcpServer } from "./mcpServerConfig.ts";

export interface McpConfigurationPlaces {
  home: string;
  projectDir: string;
  /** `Agent.create({mcpServers})`. */
  given: Readonly<Record<string, unknown>>;
  /** For `${NAME}` in the entries; without the model's credentials. */
  variables: Readonly<Record<string, string>>;
}

export interface McpConfiguration {
  servers: readonly McpServerConfig[];
  /** Entries and files that are wrong; they cost their neighbours nothing. */
  problems: readonly FileProblem[];
}

/**
 * All configured servers. Of one name the most special wins: options, then the project's local settings, its settings, its
 * `.mcp.json`, then the user's settings. Never rejects.
 */
export async function readMcpConfiguration(places: McpConfigurationPlaces): Promise<McpConfiguration> {
  const { home, projectDir, given, variables } = places;
  const servers = new Map<string, McpServerConfig>();
  const problems: FileProblem[] = [];
  const files = [
    join(home, ".wave", "settings.json"),
    join(projectDir, ".mcp.json"),
    join(projectDir, ".wave", "settings.json"),
    join(projectDir, ".wave", "settings.local.json"),
  ];
  for (const file of new Set(files)) {
    for (const { name, entry, line, column } of await entriesOf(file, problems)) {
      try {
        servers.set(name, parseMcpServer(name, entry(), file, variables));
      } catch (error) {
        problems.push({ file, line, column, reason: badEntry(name, error) });
      }
    }
  }
  for (const [name, entry] of Object.entries(given)) {
    try {
      servers.set(name, parseMcpServer(name, entry, "options", variables));
    } catch (error) {
      problems.push({ file: "options.mcpServers", line: 1, reason: badEntry(name, error) });
    }
  }
  return { servers: [...servers.values()], problems };
}

interface FileEntry {
  name: string;
  /** Throws where it is nested too deeply. */
  entry: () => unknown;
  line: number;
  column: number;
}

async function entriesOf(file: string, problems: FileProblem[]): Promise<FileEntry[]> {
  const read = await readSettingsText(file);
  if (read.state === "missing") return [];
  // What is wrong with a settings file as a whole is told by the one who reads its hooks.
  const tellsItself = !file.endsWith(".mcp.json");
  if (read.state === "failed") {
    if (!tellsItself) problems.push({ file, line: 1, reason: describeProblem(read.problem).reason });
    return [];
  }
  const document = new SettingsDocument(read.text);
  if (!document.root) {
    const [problem] = document.problems;
    if (!tellsItself && problem) {
      const { line, column } = problem;
      problems.push({ file, line, column, reason: describeProblem(problem).reason });
    }
    return [];
  }
  const list = memberValue(document.root, "mcpServers");
  if (!list) return [];
  if (list.kind !== "object") {
    const reason = '"mcpServers" must be an object with the names of the servers as keys.';
    problems.push({ file, ...document.positionAt(list.offset), reason });
    return [];
  }
  return [...effectiveMembers(list)].map(([name, { value, offset }]) => ({
    name,
    entry: () => jsonValue(value),
    ...document.positionAt(offset),
  }));
}

function badEntry(name: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `The MCP server "${name}" is not started: ${reason}.`;
}
