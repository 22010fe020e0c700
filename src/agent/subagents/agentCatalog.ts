import type { AgentDefinition } from "./agentDefinition.ts";
import { builtInAgents } from "./builtInAgents.ts";
import { DefinitionFiles, type FileProblem } from "./definitionFiles.ts";

/** All kinds of subagents: built-in ones, those of the user's folder and those of the project's, a later one replacing its namesake. */
export class AgentCatalog {
  private readonly files: DefinitionFiles<AgentDefinition>;
  private current: readonly AgentDefinition[] = builtInAgents;

  /** `folders`: absolute, user's first. `onProblem` is told once per state of a file. Must not throw. */
  constructor(folders: readonly string[], onProblem: (problem: FileProblem) => void) {
    // Most projects have no agent files, and a session should not wait for a YAML parser to load.
    const parse = async (file: string, text: string) =>
      (await import("./agentFile.ts")).parseAgentFile(file, text);
    this.files = new DefinitionFiles(folders, ".md", parse, onProblem);
  }

  get definitions(): readonly AgentDefinition[] {
    return this.current;
  }

  find(name: string): AgentDefinition | undefined {
    return this.current.find((definition) => definition.name === name);
  }

  /** Reads what has changed on disk. Never rejects. */
  async refresh(): Promise<void> {
    const byName = new Map(builtInAgents.map((definition) => [definition.name, definition]));
    for (const read of await this.files.read()) {
      if ("definition" in read) byName.set(read.definition.name, read.definition);
    }
    this.current = [...byName.values()];
  }
}
