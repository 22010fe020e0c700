/** What a Copilot hook printed: lines of progress, and one JSON object as its answer. */
export interface CopilotOutput {
  /** Messages that stay; temporary ones are only meant for the time of the run. */
  progress: readonly string[];
  /** Empty where there is no valid object. */
  fields: Readonly<Record<string, unknown>>;
  /** stdout without its progress lines, trimmed. */
  text: string;
}

/**
 * A line that is a JSON object of the type "progress" is taken out; everything else together must be one JSON object, and is
 * no output where it is not.
 */
export function readCopilotOutput(stdout: string): CopilotOutput {
  const progress: string[] = [];
  const rest: string[] = [];
  for (const line of stdout.replace(/^\uFEFF/, "").split("\n")) {
    const fields = /^\s*\{.*"progress".*\}\s*$/.test(line) ? parseObject(line) : undefined;
    if (fields?.type !== "progress") rest.push(line);
    else if (
      typeof fields.message === "string" &&
      fields.message.trim() !== "" &&
      fields.temporary !== true
    ) {
      progress.push(fields.message);
    }
  }
  const text = rest.join("\n").trim();
  return { progress, fields: parseObject(text) ?? {}, text };
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    // what starts with "{" and parses is an object; only its own fields are ever looked at
    return Object.assign(Object.create(null), JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
