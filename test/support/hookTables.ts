import type { HookEvent, HookEventName } from "../../src/hooks/hookEvent.ts";
import {
  type HookEventRow,
  hookEvents,
  type WaveEventRules,
  waveEventNames,
} from "../../src/hooks/hookEvents.ts";

type Rules = WaveEventRules<HookEvent>;

const plainStdout: Record<Rules["plainStdout"], string> = {
  nothing: "ignored",
  context: "goes to the model",
  compactInstructions: "guides the summary",
  worktreePath: "last line: the path",
};
const otherFailures: Record<Rules["otherFailuresTo"], string> = {
  user: "shown to the user",
  warning: "logged as a warning",
  log: "logged",
};

/** The tables of docs/hooks.md, made of the event table. */
export const hookTables: Record<string, () => string> = {
  "events and input": () =>
    table(["Event", "When", "Matcher", "Input beyond the common fields"], (name, row, rules) => [
      code(name),
      row.description,
      row.matchedOn?.what ?? "none",
      rules.inputFields.map(code).join(", "),
    ]),
  "exit codes": () =>
    table(
      ["Event", "Exit code 0: plain stdout", "Exit code 2", "Any other failure: stderr"],
      (name, _row, rules) => [
        code(name),
        plainStdout[rules.plainStdout],
        rules.exitTwo.means,
        otherFailures[rules.otherFailuresTo],
      ],
    ),
  "JSON fields": () =>
    table(["Event", "`additionalContext`", '`decision: "block"`', "`systemMessage`"], (name, _row, rules) => [
      code(name),
      yes(rules.additionalContext),
      yes(rules.decision),
      yes(rules.systemMessage),
    ]),
};

/** The page with its tables made anew; each stands between two comments that name it. */
export function withHookTables(page: string): string {
  return page.replace(
    /(<!-- table: (.+?) -->\n)[\s\S]*?(<!-- end of table -->)/g,
    (_, start: string, name: string, end: string) => {
      const make = hookTables[name];
      if (make === undefined) throw new Error(`There is no table "${name}"`);
      return `${start}\n${make()}\n\n${end}`;
    },
  );
}

function table(
  heads: readonly string[],
  cells: (name: HookEventName, row: HookEventRow<HookEvent>, rules: Rules) => readonly string[],
): string {
  const lines = waveEventNames.map((name) => {
    const row = hookEvents[name] as HookEventRow<HookEvent>;
    if (row.wave === undefined) throw new Error(`${name} has no rules`);
    return cells(name, row, row.wave);
  });
  return [heads, heads.map(() => "---"), ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function code(text: string): string {
  return `\`${text}\``;
}

function yes(counts: boolean): string {
  return counts ? "counts" : "ignored";
}
