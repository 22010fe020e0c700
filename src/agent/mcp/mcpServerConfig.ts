import { isRecord } from "../../protocol/validate.ts";

/** One configured MCP server, checked, with its variables filled in. */
export type McpServerConfig = StdioServerConfig | HttpServerConfig;

interface AnyServerConfig {
  name: string;
  /** Where it is configured, for messages: "options", or an absolute path. */
  origin: string;
  /** Milliseconds for one tool call. */
  callTimeoutMs: number;
}

export interface StdioServerConfig extends AnyServerConfig {
  transport: "stdio";
  command: string;
  args: readonly string[];
  /** In addition to the safe variables of the environment. */
  env: Readonly<Record<string, string>>;
}

export interface HttpServerConfig extends AnyServerConfig {
  transport: "http";
  url: string;
  headers: Readonly<Record<string, string>>;
}

const defaultCallTimeoutMs = 5 * 60_000;

/**
 * Reads one entry of `mcpServers`. `${NAME}` and `${NAME:-default}` in command, args, env, url and headers are filled in from
 * `variables`. Throws an error for people that says what is wrong with the entry.
 */
export function parseMcpServer(
  name: string,
  entry: unknown,
  origin: string,
  variables: Readonly<Record<string, string>>,
): McpServerConfig {
  if (name.trim() === "") throw new Error("an MCP server needs a name");
  if (!isRecord(entry)) throw new Error('it must be an object with "command" or "url"');
  const fill = (text: string): string => fillVariables(text, variables);
  const common = { name, origin, callTimeoutMs: callTimeout(entry.timeout) };
  const type = entry.type ?? (entry.url === undefined ? "stdio" : "http");
  if (type === "stdio") {
    if (typeof entry.command !== "string" || entry.command.trim() === "") {
      throw new Error('"command" must be the program to start');
    }
    return {
      ...common,
      transport: "stdio",
      command: fill(entry.command),
      args: strings(entry.args, "args").map(fill),
      env: stringRecord(entry.env, "env", fill),
    };
  }
  if (type === "http" || type === "streamable-http") {
    const url = typeof entry.url === "string" ? fill(entry.url) : "";
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw new Error('"url" must be an http or https address');
    }
    return { ...common, transport: "http", url, headers: stringRecord(entry.headers, "headers", fill) };
  }
  throw new Error(`the type ${JSON.stringify(type)} is not supported; "stdio" and "http" are`);
}

function fillVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_, name: string, fallback: string | undefined) => {
      const value = variables[name] ?? fallback;
      if (value === undefined) {
        throw new Error(`the environment variable ${name} is not set; set it, or write \${${name}:-default}`);
      }
      return value;
    },
  );
}

function callTimeout(value: unknown): number {
  if (value === undefined) return defaultCallTimeoutMs;
  if (typeof value !== "number" || !(value > 0) || value > 2 ** 31 - 1) {
    throw new Error('"timeout" must be a positive number of milliseconds');
  }
  return value;
}

function strings(value: unknown, field: string): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
    throw new Error(`"${field}" must be a list of texts`);
  }
  return value;
}

function stringRecord(value: unknown, field: string, fill: (text: string) => string): Record<string, string> {
  if (value === undefined) return {};
  if (!isRecord(value) || !Object.values(value).every((item) => typeof item === "string")) {
    throw new Error(`"${field}" must be an object of texts`);
  }
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, fill(String(text))]));
}
