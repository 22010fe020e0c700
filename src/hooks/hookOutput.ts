/** What a hook printed on stdout, told apart (seed hooks.md, "结构化方式：JSON 输出"). */
export type HookOutput =
  | { kind: "nothing" }
  /** Not a JSON object: text, trimmed. */
  | { kind: "text"; text: string }
  | { kind: "json"; fields: Readonly<Record<string, unknown>> }
  | { kind: "illegal"; reason: string };

const byteOrderMark = /^\uFEFF/;

/**
 * Reads stdout. Only a JSON object is structured; an array, a string, a number and anything that does not parse is text.
 * An object whose `hookSpecificOutput` is not of `eventName` is illegal as a whole (H11.6).
 */
export function readHookOutput(stdout: string, eventName: string): HookOutput {
  const text = stdout.replace(byteOrderMark, "").trim();
  if (text === "") return { kind: "nothing" };
  const fields = text.startsWith("{") ? parseObject(text) : undefined;
  if (fields === undefined) return { kind: "text", text };
  const reason = illegalBecause(fields, eventName);
  return reason === undefined ? { kind: "json", fields } : { kind: "illegal", reason };
}

/** Own fields alone: a hook cannot reach through `__proto__`. */
export function ownField(object: unknown, name: string): unknown {
  if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return undefined;
  return (object as Record<string, unknown>)[name];
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    // The text starts with "{": what parses is an object.
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function illegalBecause(fields: object, eventName: string): string | undefined {
  const specific = ownField(fields, "hookSpecificOutput");
  if (specific === undefined || specific === null) return undefined;
  if (typeof specific !== "object" || Array.isArray(specific)) return "hookSpecificOutput is not an object";
  const named = ownField(specific, "hookEventName");
  if (typeof named !== "string")
    return `hookSpecificOutput.hookEventName is missing; it must be "${eventName}"`;
  if (named !== eventName) {
    return `hookSpecificOutput.hookEventName is ${JSON.stringify(named.slice(0, 100))}, but the event is "${eventName}"`;
  }
  const context = ownField(specific, "additionalContext");
  if (context !== undefined && context !== null && typeof context !== "string") {
    return "hookSpecificOutput.additionalContext is not a string";
  }
  return undefined;
}
