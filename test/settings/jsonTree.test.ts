import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { effectiveMembers, type JsonNode, memberValue, parseJsonTree } from "../../src/settings/jsonTree.ts";
import { LineIndex } from "../../src/settings/lineIndex.ts";

function plain(node: JsonNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "array") return node.items.map(plain);
  const object = {};
  for (const [key, { value }] of effectiveMembers(node)) {
    Object.defineProperty(object, key, {
      value: plain(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return object;
}

function parsed(text: string): JsonNode {
  const tree = parseJsonTree(text);
  if (!tree.ok) throw new Error(`${tree.error.code} at ${tree.error.offset}`);
  return tree.root;
}

function failed(text: string) {
  const tree = parseJsonTree(text);
  if (tree.ok) throw new Error("It was accepted.");
  const { line, column } = new LineIndex(text).positionAt(tree.error.offset);
  return `${tree.error.code} ${line}:${column}`;
}

describe("parseJsonTree", () => {
  it("reads whatever JSON.parse reads, with the same values", () => {
    return fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 2, "\t"), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(plain(parsed(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("gives each value the offsets of its text", () => {
    return fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const nodes = [parsed(text)];
        for (let node = nodes.pop(); node; node = nodes.pop()) {
          expect(plain(node)).toEqual(JSON.parse(text.slice(node.offset, node.end)));
          if (node.kind === "array") nodes.push(...node.items);
          if (node.kind === "object") nodes.push(...node.members.map((member) => member.value));
        }
      }),
    );
  });

  it("reads comments in every place and trailing commas", () => {
    const text = `/*0*/{ // 1
      "a" /*2*/ : /*3*/ [ /*4*/ 1 /*5*/ , // 6
      2, ], "b": { "c": null, /*7*/ }, }// 8`;
    expect(plain(parsed(text))).toEqual({ a: [1, 2], b: { c: null } });
  });

  it("takes the last of equal keys, as JSON.parse does", () => {
    const root = parsed('{"a": 1, "b": 2, "a": 3}');
    expect(plain(memberValue(root, "a") as JsonNode)).toBe(3);
    expect(root.kind === "object" && root.members.map(({ key }) => key)).toEqual(["a", "b", "a"]);
  });

  it("keeps __proto__ an ordinary key", () => {
    const root = parsed('{"__proto__": {"x": 1}}');
    expect(memberValue(root, "__proto__")?.kind).toBe("object");
    expect(memberValue(root, "x")).toBeUndefined();
    expect(memberValue(root, "toString")).toBeUndefined();
  });

  it("E6 reads 10,000 nested lists and objects without overflowing the stack", () => {
    const depth = 10_000;
    expect(parseJsonTree("[".repeat(depth) + "]".repeat(depth)).ok).toBe(true);
    expect(parseJsonTree(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`).ok).toBe(true);
    expect(failed("[".repeat(depth))).toBe(`jsonNotClosed 1:${depth + 1}`);
  });

  it.each([
    ["", "jsonNothing 1:1"],
    ["  // only a comment", "jsonNothing 1:20"],
    ['{"a": [1,\n 2', "jsonNotClosed 2:3"],
    ['{"a": "x', "jsonStringNotClosed 1:7"],
    ['{"a": "x\n"}', "jsonStringNotClosed 1:7"],
    ["{} /* x", "jsonCommentNotClosed 1:4"],
    ['["\\q"]', "jsonBadEscape 1:2"],
    ['["\t"]', "jsonBadCharacter 1:2"],
    ["[1.]", "jsonBadNumber 1:2"],
    ["[NaN]", "jsonUnexpected 1:2"],
    ["[01]", "jsonCommaMissing 1:3"],
    ["['a']", "jsonUnexpected 1:2"],
    ["{a: 1}", "jsonUnexpected 1:2"],
    ['{"a" 1}', "jsonColonMissing 1:6"],
    ['{"a": }', "jsonValueMissing 1:7"],
    ['{"a"}', "jsonColonMissing 1:5"],
    ["{,}", "jsonKeyMissing 1:2"],
    ["{1: 2}", "jsonKeyMissing 1:2"],
    ["[,]", "jsonValueMissing 1:2"],
    ["[1,,2]", "jsonValueMissing 1:4"],
    ['{"a": 1 "b": 2}', "jsonCommaMissing 1:9"],
    ['{"a": 1\r\n\r\n"b": 2}', "jsonCommaMissing 3:1"],
    ["[1}", "jsonUnexpected 1:3"],
    ["]", "jsonValueMissing 1:1"],
    ["{} {}", "jsonTextAfterEnd 1:4"],
    ["{}]", "jsonTextAfterEnd 1:3"],
    ["{},", "jsonTextAfterEnd 1:3"],
  ])("E6 says where %j is wrong, and how", (text, expected) => {
    expect(failed(text)).toBe(expected);
  });

  it("accepts nothing that JSON.parse refuses, but comments and trailing commas", () => {
    const pieces = fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', "1", "null", "tru", "-", " ", "\n");
    return fc.assert(
      fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
        const text = parts.join("");
        const strict = text.replace(/,(\s*[}\]])/g, (whole, rest: string, at: number) =>
          /[[{,:]\s*$/.test(text.slice(0, at)) ? whole : rest,
        );
        let isJson = true;
        try {
          JSON.parse(strict);
        } catch {
          isJson = false;
        }
        expect(parseJsonTree(text).ok).toBe(isJson);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("LineIndex", () => {
  it("counts lines as VS Code does: LF, CRLF and CR", () => {
    const lines = new LineIndex("a\nb\r\nc\rd");
    expect([0, 1, 2, 3, 5, 7].map((offset) => lines.positionAt(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 2, column: 2 },
      { line: 3, column: 1 },
      { line: 4, column: 1 },
    ]);
  });
});
