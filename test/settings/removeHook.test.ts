import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import type { JsonPath } from "../../src/settings/parsedHook.ts";
import { removeHook } from "../../src/settings/removeHook.ts";

function removed(text: string, ...path: JsonPath): string {
  const result = removeHook(text, ["hooks", ...path]);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
}

const command = (text: string) => `{ "type": "command", "command": "${text}" }`;
const [a, b, c] = [command("a"), command("b"), command("c")];

/** A list of hooks, indented as people do, inside the rest of a file. */
function inList(...lines: string[]): string {
  return ["{", '  "hooks": { "Stop": [{ "hooks": [', ...lines, "  ] }] }", "}", ""].join("\n");
}

/** What is left of the lines when the hook at this index goes. */
function linesWithout(index: number, ...lines: string[]): string[] {
  const left = removed(inList(...lines), "Stop", 0, "hooks", index).split("\n");
  expect(left.slice(0, 2)).toEqual(inList().split("\n").slice(0, 2));
  expect(left.slice(-3)).toEqual(inList().split("\n").slice(-3));
  return left.slice(2, -3);
}

describe("removeHook", () => {
  it("H30.3 removes exactly that hook and its line", () => {
    const lines = [`    ${a},`, `    ${b},`, `    ${c}`];
    expect(linesWithout(0, ...lines)).toEqual([`    ${b},`, `    ${c}`]);
    expect(linesWithout(1, ...lines)).toEqual([`    ${a},`, `    ${c}`]);
    expect(linesWithout(2, ...lines)).toEqual([`    ${a},`, `    ${b}`]);
  });

  it("H30.3 keeps a trailing comma where there was one", () => {
    const lines = [`    ${a},`, `    ${b},`];
    expect(linesWithout(0, ...lines)).toEqual([`    ${b},`]);
    expect(linesWithout(1, ...lines)).toEqual([`    ${a},`]);
  });

  it("H30.3 takes the comments of the hook with it and leaves those of its neighbours", () => {
    const lines = [
      "    // above a",
      `    ${a}, // behind a`,
      "    // above b, 1",
      "    /* above b, 2 */",
      `    ${b} /* behind b */, // behind b`,
      "    // above c",
      `    ${c} // behind c`,
      "    // at the end",
    ];
    expect(linesWithout(0, ...lines)).toEqual(lines.slice(2));
    expect(linesWithout(1, ...lines)).toEqual([...lines.slice(0, 2), ...lines.slice(5)]);
    expect(linesWithout(2, ...lines)).toEqual([
      ...lines.slice(0, 4),
      `    ${b} /* behind b */ // behind b`,
      "    // at the end",
    ]);
  });

  it("H30.3 leaves a comment that a blank line sets apart", () => {
    const lines = ["    // about all of them", "", "    // above a", `    ${a},`, `    ${b}`];
    expect(linesWithout(0, ...lines)).toEqual(["    // about all of them", "", `    ${b}`]);
  });

  it("H30.3 leaves comments that stand on the line of a neighbour", () => {
    expect(linesWithout(0, `    ${a}, /* b's */ ${b}`)).toEqual([`    /* b's */ ${b}`]);
    expect(linesWithout(1, `    ${a}, /* b's */ ${b}`)).toEqual([`    ${a}`]);
    expect(linesWithout(1, `    ${a}, // a's`, `    ${b}`)).toEqual([`    ${a} // a's`]);
    expect(linesWithout(1, `    ${a}, /* a's`, `    still a's */`, `    ${b}`)).toEqual([
      `    ${a} /* a's`,
      "    still a's */",
    ]);
  });

  it("H30.3 copes with commas at the start of lines", () => {
    const lines = [`      ${a} // a's`, "    // above b", `    , ${b} // b's`, `    , ${c}`];
    expect(linesWithout(1, ...lines)).toEqual([`      ${a} // a's`, "    // above b", `    , ${c}`]);
    expect(linesWithout(2, ...lines)).toEqual(lines.slice(0, 3));
    expect(parse(removed(inList(...lines), "Stop", 0, "hooks", 0)).hooks.Stop[0].hooks).toHaveLength(2);
  });

  it.each([
    [`{"hooks":{"Stop":[{"hooks":[${a},${b}]}]}}`, 0, `{"hooks":{"Stop":[{"hooks":[${b}]}]}}`],
    [`{"hooks":{"Stop":[{"hooks":[${a},${b}]}]}}`, 1, `{"hooks":{"Stop":[{"hooks":[${a}]}]}}`],
    [`{"hooks":{"Stop":[{"hooks":[ ${a}, ${b} ]}]}}`, 0, `{"hooks":{"Stop":[{"hooks":[ ${b} ]}]}}`],
    [`{"hooks":{"Stop":[{"hooks":[ ${a}, ${b} ]}]}}`, 1, `{"hooks":{"Stop":[{"hooks":[ ${a} ]}]}}`],
    [`{"hooks":{"Stop":[{"hooks":[ ${a}, ${b}, ]}]}}`, 1, `{"hooks":{"Stop":[{"hooks":[ ${a}, ]}]}}`],
    [`{"hooks":{"Stop":[{"hooks":[ ${a} ]}]}}`, 0, '{"hooks":{}}'],
  ])("H30.3 edits one line: %s, hook %i", (text, index, expected) => {
    expect(removed(text, "Stop", 0, "hooks", index)).toBe(expected);
  });

  const groups = `{
  // all hooks
  "hooks": {
    // stop
    "Stop": [
      // first group
      {
        "matcher": "x",
        "hooks": [
          ${a} // a
        ]
      }, // behind the first
      // second group
      {
        "hooks": [
          ${b}
        ]
      }
    ],
    // edits
    "PreToolUse": [{
      "matcher": "Write",
      "hooks": [${c}]
    }]
  },
  "other": true
}
`;

  it("H30.3 takes an emptied group with it", () => {
    const start = groups.indexOf("      // first group");
    const end = groups.indexOf("      // second group");
    expect(removed(groups, "Stop", 0, "hooks", 0)).toBe(groups.slice(0, start) + groups.slice(end));
  });

  it("H30.3 takes an emptied event with it", () => {
    const start = groups.indexOf("\n    // edits");
    const end = groups.indexOf("\n  },\n");
    const expected = groups.slice(0, start).replace(/,$/, "") + groups.slice(end);
    expect(removed(groups, "PreToolUse", 0, "hooks", 0)).toBe(expected);
  });

  it("H30.3 keeps the key hooks, empty, and the comments in it", () => {
    const text = `{\n  "hooks": {\n    "Stop": [{ "hooks": [${a}] }]\n  },\n  "x": 1\n}`;
    expect(removed(text, "Stop", 0, "hooks", 0)).toBe('{\n  "hooks": {},\n  "x": 1\n}');
    const commented = `{\n  "hooks": { // ours\n    "Stop": [{ "hooks": [${a}] }]\n  }\n}`;
    expect(removed(commented, "Stop", 0, "hooks", 0)).toBe('{\n  "hooks": { // ours\n  }\n}');
  });

  it("H30.3 keeps a group that holds something unknown, with an empty list", () => {
    const text = `{"hooks": {"Stop": [{"note": "mine", "hooks": [ ${a} ]}]}}`;
    expect(removed(text, "Stop", 0, "hooks", 0)).toBe('{"hooks": {"Stop": [{"note": "mine", "hooks": []}]}}');
  });

  it("H30.3 never brings a hidden event into force: of two equal keys the last one stays, empty", () => {
    const text = `{"hooks": {"Stop": [{"hooks": [${a}]}], "Stop": [{"hooks": [${b}]}]}}`;
    const left = removed(text, "Stop", 0, "hooks", 0);
    expect(left).toBe(`{"hooks": {"Stop": [{"hooks": [${a}]}], "Stop": []}}`);
    expect(JSON.parse(left).hooks.Stop).toEqual([]);
  });

  it("H30.3 aims at the keys that count where keys stand twice", () => {
    const text = `{"hooks": {"Stop": [{"hooks": [${a}]}]}, "hooks": {"Stop": [{"hooks": [${b}], "hooks": [${c}, ${b}]}]}}`;
    expect(JSON.parse(removed(text, "Stop", 0, "hooks", 0)).hooks.Stop).toEqual([{ hooks: [JSON.parse(b)] }]);
    expect(removed(text, "Stop", 0, "hooks", 0)).toContain(`{"hooks": {"Stop": [{"hooks": [${a}]}]}, `);
  });

  it("H30.3 takes exactly the one that is meant of ten equal hooks", () => {
    const lines = Array.from({ length: 10 }, (_, index) => `    ${a}${index < 9 ? "," : ""} // ${index}`);
    for (let index = 0; index < 10; index++) {
      const left = linesWithout(index, ...lines);
      expect(left.map((line) => Number(line.at(-1)))).toEqual(
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((other) => other !== index),
      );
    }
  });

  it("removes malformed entries too", () => {
    expect(linesWithout(0, "    42,", `    ${a}`)).toEqual([`    ${a}`]);
    expect(linesWithout(1, `    ${a},`, "    [[]] // odd")).toEqual([`    ${a}`]);
  });

  it("removes from files of another shape: entries that stand in the event's list directly", () => {
    const text = `{"version": 1, "hooks": {"preToolUse": [\n  {"bash": "a"}, // a\n  {"bash": "b"} // b\n]}}`;
    expect(removed(text, "preToolUse", 1)).toBe(
      '{"version": 1, "hooks": {"preToolUse": [\n  {"bash": "a"} // a\n]}}',
    );
    const alone = '{"version": 1, "hooks": {"preToolUse": [ {"bash": "a"} ]}}';
    expect(removed(alone, "preToolUse", 0)).toBe('{"version": 1, "hooks": {}}');
  });

  it.each(["\r\n", "\r"])("H30.3 keeps line ends %j", (lineEnd) => {
    const text = inList(`    ${a},`, `    ${b}`).replaceAll("\n", lineEnd);
    const expected = inList(`    ${a}`).replaceAll("\n", lineEnd);
    expect(removed(text, "Stop", 0, "hooks", 1)).toBe(expected);
  });

  it("H30.3 removes beside 10,000 nested lists", () => {
    const deep = "[".repeat(10_000) + "]".repeat(10_000);
    const text = `{"deep": ${deep}, "hooks": {"Stop": [{"hooks": [${deep}, ${a}]}]}}`;
    const expected = `{"deep": ${deep}, "hooks": {"Stop": [{"hooks": [${a}]}]}}`;
    expect(removed(text, "Stop", 0, "hooks", 0)).toBe(expected);
  });

  it("E6 refuses what is not JSON, and what is not there", () => {
    const reasonOf = (text: string, path: JsonPath) => {
      const result = removeHook(text, path);
      return result.ok ? "removed" : result.reason;
    };
    const text = inList(`    ${a}`);
    expect(reasonOf(text.slice(0, -3), ["hooks", "Stop", 0, "hooks", 0])).toBe("notJson");
    expect(reasonOf("", ["hooks", "Stop", 0, "hooks", 0])).toBe("notJson");
    for (const path of [
      ["hooks", "Stop", 0, "hooks", 1],
      ["hooks", "Stop", 0, "hooks", -1],
      ["hooks", "Stop", 1, "hooks", 0],
      ["hooks", "PreToolUse", 0, "hooks", 0],
      ["hooks", "Stop", "0", "hooks", 0],
      ["hooks", "Stop", 0, "hooks", 0, "command"],
      ["hooks", "Stop", 0, "hooks"],
      ["hooks", "__proto__", 0],
      ["hooks", "Stop"],
      ["hooks"],
      [],
    ])
      expect([path, reasonOf(text, path)]).toEqual([path, "notFound"]);
    expect(reasonOf("[[]]", [0, 0])).toBe("notFound");
  });
});
