import { type CopilotAnswer, copilotEvents } from "../../src/hooks/copilotEvents.ts";
import { hookEvents } from "../../src/hooks/hookEvents.ts";

const answers: Record<CopilotAnswer, string> = {
  none: "ignored",
  context: "`additionalContext`",
  promptRewrite: "`modifiedPrompt`, in code only",
  transformedPrompt: "`modifiedTransformedPrompt`: for model and history, not on the screen",
  preToolUse: "`permissionDecision`, `permissionDecisionReason`, `modifiedArgs`, `additionalContext`",
  postToolUse: "`modifiedResult`, `additionalContext`",
  failureGuidance: "`additionalContext`",
  permission: "`behavior`, `message`, `interrupt`",
  stop: "`decision`, `reason`",
  subagentStop: "`decision`, `reason`, `modifiedResponse`",
};

const exitTwo = {
  deny: "refuses",
  guidance: "stdout advises the model",
  warn: "stderr to the user",
} as const;

/** The table of docs/copilot-hooks.md, made of the format's own table. */
function copilotEventTable(): string {
  const rows = copilotEvents.map((row) => {
    const pascal = row.pascalName === undefined ? "none" : `\`${row.pascalName}\``;
    const when =
      row.camelName === "postToolUseFailure" ? "After a tool failed." : hookEvents[row.event].description;
    const cells = [
      `\`${row.camelName}\``,
      pascal,
      row.camelName === "postToolUse" ? "After a tool succeeded." : when,
      row.matchedOn?.what ?? "none",
      answers[row.answer],
      exitTwo[row.exits.two],
      row.firedByCloudAgent ? "yes" : "no",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  const head =
    "| camelCase | PascalCase | When | Matcher | Answers that count | Exit code 2 | In the cloud agent |";
  return [head, "| --- | --- | --- | --- | --- | --- | --- |", ...rows].join("\n");
}

/** The page with its table made anew. */
export function withCopilotTable(page: string): string {
  return page.replace(
    /(<!-- table: copilot events -->\n)[\s\S]*?(\n<!-- end of table -->)/,
    (_whole, start: string, end: string) => `${start}\n${copilotEventTable()}\n${end}`,
  );
}
