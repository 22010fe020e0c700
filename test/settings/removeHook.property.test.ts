import * as fc from "fast-check";
import { findNodeAtLocation, type Node, type ParseError, parse, parseTree } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { removeHook } from "../../src/settings/removeHook.ts";
import { layout, type Removal, removals, settingsValue, writeOut } from "./randomSettingsFile.ts";

/** A random file, and one of the hooks in it. */
const removal = fc
  .tuple(settingsValue, layout, fc.nat())
  .filter(([value]) => removals(value).length > 0)
  .map(([value, how, pick]) => {
    const all = removals(value);
    return { value, text: writeOut(value, how), ...(all[pick % all.length] as Removal) };
  });

function values(text: string): unknown {
  const errors: ParseError[] = [];
  const value = parse(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

/** What goes, with the texts on both sides of it up to its neighbours or the brackets round it. */
function surroundings(text: string, path: (string | number)[]) {
  const root = parseTree(text, [], { allowTrailingComma: true }) as Node;
  const found = findNodeAtLocation(root, path) as Node;
  const entry = (found.parent?.type === "property" ? found.parent : found) as Node;
  const container = entry.parent as Node;
  const siblings = container.children ?? [];
  const index = siblings.indexOf(entry);
  const end = (node: Node) => node.offset + node.length;
  const previous = siblings[index - 1];
  const next = siblings[index + 1];
  return {
    entry: { start: entry.offset, end: end(entry) },
    from: previous ? end(previous) : container.offset + 1,
    to: next ? next.offset : end(container) - 1,
    hasNext: next !== undefined,
  };
}

const names = (text: string): string[] => text.match(/c\d+cd?/g) ?? [];
const lineBreak = /\r\n|\n|\r/;

describe("removeHook, for random files", () => {
  it("H30.3 leaves the old values less that hook, read by another parser", () => {
    return fc.assert(
      fc.property(removal, ({ value, text, path, left }) => {
        expect(values(text)).toEqual(value);
        const result = removeHook(text, path);
        expect(result.ok && values(result.text)).toEqual(left);
      }),
      { numRuns: 400 },
    );
  });

  it("H30.3 leaves every byte outside of the gap round that hook", () => {
    return fc.assert(
      fc.property(removal, ({ text, path, removed }) => {
        const result = removeHook(text, path);
        const left = result.ok ? result.text : "";
        const { from, to } = surroundings(text, removed);
        const [before, after] = [text.slice(0, from), text.slice(to)];
        expect(left.startsWith(before)).toBe(true);
        expect(left.endsWith(after)).toBe(true);
        expect(left.length).toBeGreaterThanOrEqual(before.length + after.length);
        // What remains of the gap is the old gap less some pieces: nothing is written.
        const gap = left.slice(from, left.length - after.length);
        let position = from;
        for (const character of gap) {
          const at = text.indexOf(character, position);
          expect(at).toBeGreaterThanOrEqual(position);
          expect(at).toBeLessThan(to);
          position = at + character.length;
        }
      }),
      { numRuns: 400 },
    );
  });

  it("H30.3 leaves the comments of the neighbours", () => {
    return fc.assert(
      fc.property(removal, ({ text, path, removed }) => {
        const result = removeHook(text, path);
        const left = new Set(names(result.ok ? result.text : ""));
        const { entry, from, to, hasNext } = surroundings(text, removed);
        const before = text.slice(from, entry.start);
        const after = text.slice(entry.end, to);
        const onLineBefore = lineBreak.test(before) ? (before.split(lineBreak)[0] ?? "") : "";
        const firstBreak = after.search(lineBreak);
        const below = firstBreak >= 0 ? after.slice(firstBreak) : "";
        const aboutNext = hasNext && firstBreak < 0 ? after.slice(after.lastIndexOf(",")) : "";
        // A comment over several lines that begins on the hook's own line is the hook's.
        const isBegunBefore = (name: string) => names(after.slice(0, firstBreak)).includes(name);
        const kept = [...names(onLineBefore), ...names(below), ...names(aboutNext)];
        for (const name of kept) if (!isBegunBefore(name)) expect(left).toContain(name);
        // And comments elsewhere in the file, each once.
        for (const name of [...names(text.slice(0, from)), ...names(text.slice(to))])
          expect(left).toContain(name);
      }),
      { numRuns: 400 },
    );
  });

  it("H30.3 removes all hooks of a file one by one", () => {
    return fc.assert(
      fc.property(removal, ({ text }) => {
        let left = text;
        for (let step = 0; step < 60; step++) {
          const [first] = removals(values(left) as Parameters<typeof removals>[0]);
          if (!first) return;
          const result = removeHook(left, first.path);
          if (!result.ok) throw new Error(result.reason);
          expect(result.text.length).toBeLessThan(left.length);
          left = result.text;
        }
        throw new Error("There is no end.");
      }),
      { numRuns: 100 },
    );
  });
});
