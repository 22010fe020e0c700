import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parseHooksFile } from "../../src/settings/hooksFile.ts";
import { withCopilotTable } from "../support/copilotTables.ts";

const file = resolve(import.meta.dirname, "../../docs/copilot-hooks.md");

describe("docs/copilot-hooks.md", () => {
  it("C25 says what the table of Copilot events says (WAVE_UPDATE_DOCS=1 npx vitest run test/copilot/copilotPage writes it anew)", async () => {
    const page = await readFile(file, "utf8");
    const made = withCopilotTable(page);
    if (process.env.WAVE_UPDATE_DOCS === "1") await writeFile(file, made);
    else expect(page).toBe(made);
    expect(made).toContain("| `notification` | `Notification` |");
  });

  it("gives examples that can be read without a problem", async () => {
    const page = await readFile(file, "utf8");
    const examples = [...page.matchAll(/```jsonc\n([\s\S]*?)```/g)].map(([, text]) => text ?? "");
    expect(examples).toHaveLength(3);
    for (const [index, text] of examples.entries()) {
      const parsed = parseHooksFile(text, { source: "project", dialect: index === 0 ? "wave" : "copilot" });
      expect(parsed.problems).toEqual([]);
      expect(parsed.hooks.map(({ definition }) => definition?.timeoutMs)).toEqual([10_000]);
    }
  });
});
