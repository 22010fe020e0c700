import { rejectOnAbort } from "../rejectOnAbort.ts";
import type { CustomTool } from "./customTool.ts";
import { cutText } from "./cutText.ts";
import { failedOutcome, type Tool } from "./tool.ts";
import { jsonInput } from "./toolInputSchema.ts";

const longestResult = 100_000;
const nameShape = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The SDK user's tools as ours. Throws an error for people where one cannot be: its name is bad, taken, or it has no schema. */
export function fromCustomTools(
  given: readonly CustomTool[],
  takenNames: ReadonlySet<string>,
): readonly Tool[] {
  const names = new Set(takenNames);
  return given.map((custom) => {
    if (!nameShape.test(custom.name)) {
      throw new Error(
        `The custom tool name ${JSON.stringify(custom.name)} is not valid: use letters, digits, _ and -, at most 64.`,
      );
    }
    if (names.has(custom.name))
      throw new Error(`There are two tools named ${custom.name}. Rename the custom one.`);
    names.add(custom.name);
    return fromCustomTool(custom);
  });
}

function fromCustomTool(custom: CustomTool): Tool<Record<string, unknown>> {
  const readOnly = custom.readOnly ?? false;
  return {
    name: custom.name,
    description: custom.description,
    inputSchema: jsonInput(custom.inputSchema),
    readOnly,
    permissionNeed: (input) =>
      readOnly
        ? { kind: "none" }
        : { kind: "other", summary: `${custom.name} ${cutText(JSON.stringify(input), 200)}` },
    async run(input, context) {
      const { cwd, sessionId } = context.session;
      const result = await rejectOnAbort(
        Promise.resolve().then(() =>
          custom.run(input, { signal: context.signal, cwd, sessionId, callTool: context.callTool }),
        ),
        context.signal,
      );
      if (typeof result === "string") {
        return { response: { success: true, content: result }, text: cutText(result, longestResult) };
      }
      const success = result.success !== false;
      const text = cutText(JSON.stringify(result), longestResult);
      if (!success)
        return failedOutcome(typeof result.error === "string" ? result.error : text, { ...result });
      return { response: { ...result, success }, text };
    },
  };
}
