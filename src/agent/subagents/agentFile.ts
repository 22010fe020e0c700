import { basename } from "node:path";
import { isNode, LineCounter, parseDocument } from "yaml";
import { isRecord } from "../../protocol/validate.ts";
import type { AgentDefinition } from "./agentDefinition.ts";
import type { FileDefinition } from "./definitionFiles.ts";

/**
 * Reads an agent file: YAML front matter between two `---` lines with `description` and, if wanted, `name` (else the file's name),
 * `tools` (a list, or names separated by commas) and `model`; the text below it is the system prompt.
 */
export function parseAgentFile(file: string, text: string): FileDefinition<AgentDefinition> {
  const problem = (line: number, reason: string) => ({ file, problem: { file, line, reason } });
  const match = /^---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  if (!match) {
    return problem(1, 'It must begin with front matter: a line "---", "description: ...", and a line "---".');
  }
  const [, frontMatter = "", body = ""] = match;
  const lines = new LineCounter();
  const document = parseDocument(frontMatter, { lineCounter: lines });
  const syntaxError = document.errors[0];
  if (syntaxError) {
    const line = lines.linePos(syntaxError.pos[0]).line + 1;
    return problem(line, `Its front matter is not valid YAML: ${syntaxError.message.split("\n")[0] ?? ""}`);
  }
  const fields: unknown = document.toJS({ maxAliasCount: 100 });
  if (!isRecord(fields)) return problem(2, "Its front matter must hold fields such as description: ...");
  const lineOf = (field: string): number => {
    const node = document.get(field, true);
    return isNode(node) && node.range ? lines.linePos(node.range[0]).line + 1 : 2;
  };

  const name = fields.name ?? basename(file, ".md");
  if (typeof name !== "string" || !/^[A-Za-z0-9][A-Za-z0-9_:-]{0,63}$/.test(name)) {
    return problem(lineOf("name"), "The name may hold letters, digits, - and _ only, at most 64 of them.");
  }
  const { description, model } = fields;
  if (typeof description !== "string" || description.trim() === "") {
    return problem(
      lineOf("description"),
      '"description" is missing: it tells the model when to use this agent.',
    );
  }
  if (model !== undefined && typeof model !== "string")
    return problem(lineOf("model"), '"model" must be a text.');
  const tools = toolNames(fields.tools);
  if (tools === "invalid") {
    return problem(lineOf("tools"), '"tools" must be a list of tool names, or names separated by commas.');
  }
  if (body.trim() === "") {
    return problem(
      frontMatter.split("\n").length + 2,
      "There is no text below the front matter: it becomes the agent's instructions.",
    );
  }
  return {
    file,
    definition: {
      name,
      description: description.trim(),
      systemPrompt: body.trim(),
      file,
      ...(tools ? { tools } : {}),
      ...(model === undefined || model === "inherit" ? {} : { model }),
    },
  };
}

function toolNames(value: unknown): string[] | undefined | "invalid" {
  if (value === undefined || value === null) return undefined;
  const names = typeof value === "string" ? value.split(",") : value;
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) return "invalid";
  // `Bash(git *)` narrows a tool in some agents; here permission rules do that.
  return names.map((name) => name.replace(/\(.*\)$/, "").trim()).filter((name) => name !== "");
}
