import { createHash } from "node:crypto";
import { failedOutcome, type Tool, type ToolOutcome } from "../tools/tool.ts";
import { jsonInput } from "../tools/toolInputSchema.ts";
import type { McpCallResult, McpToolDescription } from "./mcpConnection.ts";
import type { McpServer } from "./mcpServer.ts";

/** Model services take at most this many characters in a tool's name. */
const maxNameLength = 64;
const maxDescriptionLength = 2048;
/** Of a result's text, as the model gets it. */
const maxTextLength = 100_000;

/** `mcp__<server>__<tool>`, in the characters that model services allow; a name that is too long ends in a hash of the whole. */
export function mcpToolName(server: string, tool: string): string {
  const clean = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_");
  const name = `mcp__${clean(server)}__${clean(tool)}`;
  if (name.length <= maxNameLength) return name;
  const hash = createHash("sha256").update(`${server}\n${tool}`).digest("hex").slice(0, 8);
  return `${name.slice(0, maxNameLength - 9)}_${hash}`;
}

/** A server's tool as one of ours: same pipeline, same hooks, and a question before each call in the default mode. */
export function mcpTool(server: McpServer, description: McpToolDescription): Tool<Record<string, unknown>> {
  const name = mcpToolName(server.config.name, description.name);
  return {
    name,
    description: cut(description.description ?? description.title ?? description.name, maxDescriptionLength),
    inputSchema: jsonInput(description.inputSchema),
    // The hint is the server's own word; it decides only what may run side by side.
    readOnly: description.annotations?.readOnlyHint === true,
    permissionNeed: (input) => ({
      kind: "other",
      summary: `${server.config.name}: ${description.name} ${cut(JSON.stringify(input), 200)}`,
    }),
    async run(input, context) {
      try {
        return outcomeOf(await server.call(description.name, input, context.signal));
      } catch (error) {
        return failedOutcome(error instanceof Error ? error.message : String(error));
      }
    },
  };
}

function outcomeOf(result: McpCallResult): ToolOutcome {
  const parts = (result.content ?? []).map(textOf);
  if (parts.length === 0 && result.structuredContent !== undefined)
    parts.push(JSON.stringify(result.structuredContent));
  const text = cut(parts.join("\n"), maxTextLength);
  const content = [{ type: "text", text }];
  if (result.isError) {
    const error = text === "" ? "The tool failed and did not say why." : text;
    return { response: { success: false, content, error }, text: error };
  }
  return { response: { success: true, content }, text };
}

/** What a model reads of one part of a result: pictures and the like are named, not sent. */
function textOf(part: McpCallResult["content"][number]): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `[${part.type}, ${part.mimeType}, ${Math.floor((part.data.length * 3) / 4)} bytes, not shown]`;
    case "resource_link":
      return `[resource ${part.uri}: ${part.name}]`;
    case "resource":
      return "text" in part.resource
        ? part.resource.text
        : `[resource ${part.resource.uri}, binary, not shown]`;
    default:
      return `[${JSON.stringify(part).slice(0, 100)}]`;
  }
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // Not between the halves of a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}… [+${text.length - end} chars]`;
}
