import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { translatableTexts } from "../support/translatableTexts.ts";

const root = path.join(import.meta.dirname, "../..");
const chinese = JSON.parse(readFileSync(path.join(root, "l10n/bundle.l10n.zh-cn.json"), "utf8")) as Record<
  string,
  string
>;

const placeholders = (text: string): string[] => [...(text.match(/\{\w+\}/g) ?? [])].sort();

describe("Simplified Chinese", () => {
  const texts = translatableTexts(root);

  it("has a translation of every text of host and webviews", () => {
    expect([...texts].filter((text) => !Object.hasOwn(chinese, text))).toEqual([]);
  });

  it("has no translation that nothing uses", () => {
    expect(Object.keys(chinese).filter((key) => !texts.has(key))).toEqual([]);
  });

  it("keeps every placeholder", () => {
    const wrong = Object.entries(chinese).filter(
      ([key, text]) => String(placeholders(text)) !== String(placeholders(key)),
    );
    expect(wrong).toEqual([]);
  });

  it("is written in Chinese, but for names", () => {
    const untranslated = Object.entries(chinese).filter(([, text]) => !/\p{Script=Han}/u.test(text));
    expect(untranslated.map(([key]) => key)).toEqual(["{0} of {1}", "VS Code", "The Messages API."]);
  });
});
