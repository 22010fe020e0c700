import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { understandRequest } from "../../src/agent/composer/understandRequest.ts";

interface Row {
  prompt: string;
  new?: Record<string, unknown>;
  edit?: Record<string, unknown>;
  ask?: string;
  decline?: true;
}

describe.each(["en", "zh"])("the built-in composer reads the corpus in %s", (language) => {
  const rows = JSON.parse(
    readFileSync(new URL(`../fixtures/composer/${language}.json`, import.meta.url), "utf8"),
  ) as Row[];

  it("has at least 60 prompts", () => expect(rows.length).toBeGreaterThanOrEqual(60));

  it.each(rows.map((row) => [row.prompt, row] as const))("H28.3 H29.3 %s", (_title, row) => {
    const request = understandRequest(row.prompt);
    if (row.decline) expect(request).toEqual({ kind: "other" });
    else if (row.ask) expect(request.kind === "other" ? "declined" : request.missing[0]).toBe(row.ask);
    else if (row.new) {
      const { target, ...wish } = row.new;
      expect(request).toEqual({ kind: "new", target, wish, missing: [] });
    } else {
      const { aim, ...wish } = row.edit ?? {};
      expect(request).toEqual({ kind: "edit", aim, wish, missing: [] });
    }
  });
});
