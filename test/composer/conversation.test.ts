import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConversation } from "../../src/agent/composer/conversation.ts";

/** What the user wrote, one message after the other, and what that comes to. */
interface Row {
  messages: string[];
  new?: Record<string, unknown>;
  edit?: Record<string, unknown>;
  ask?: string;
  decline?: true;
}

const rows = JSON.parse(
  readFileSync(new URL("../fixtures/composer/answers.json", import.meta.url), "utf8"),
) as Row[];

describe("the built-in composer reads answers to its questions", () => {
  it.each(rows.map((row) => [row.messages.join(" / "), row] as const))("H28.3 %s", (_title, row) => {
    const { request } = readConversation(row.messages);
    if (row.decline) expect(request).toEqual({ kind: "other" });
    else if (row.ask) expect(request.kind === "other" ? "declined" : request.missing[0]).toBe(row.ask);
    else if (row.new) {
      const { target, ...wish } = row.new;
      expect(request).toEqual({ kind: "new", target, wish, missing: [] });
    } else expect(request).toMatchObject({ kind: "edit", wish: row.edit, missing: [] });
  });
});
