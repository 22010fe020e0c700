import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { addHook, editHook } from "../../src/agent/composer/settingsChange.ts";
import { smallestEdit } from "../../src/agent/composer/smallestEdit.ts";

const hook = { type: "command", command: "npm test" };

function added(text: string, event = "Stop", matcher?: string, value: object = hook): string {
  const change = addHook(text, event, matcher, value);
  if (!change.ok) throw new Error(JSON.stringify(change.problem));
  return change.text;
}

function edited(
  text: string,
  aim: Parameters<typeof editHook>[1],
  wish: Parameters<typeof editHook>[2],
): string {
  const change = editHook(text, aim, wish);
  if (!change.ok) throw new Error(JSON.stringify(change.problem));
  return change.text;
}

describe("adding a hook to the text of a settings file", () => {
  it("makes a whole file of nothing", () => {
    expect(added("")).toBe(
      '{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": [\n          {\n            "type": "command",\n            "command": "npm test"\n          }\n        ]\n      }\n    ]\n  }\n}\n',
    );
  });

  it("keeps comments, trailing commas and the comment behind the last member where they were", () => {
    const before = `{
    // mine
    "model": "x", // keep me here
    "hooks": {
        "PostToolUse": [ { "matcher": "Edit", "hooks": [ { "type": "command", "command": "a" } ] } ], // edits
    },
}
`;
    const after = added(before);
    expect(after).toBe(`{
    // mine
    "model": "x", // keep me here
    "hooks": {
        "PostToolUse": [ { "matcher": "Edit", "hooks": [ { "type": "command", "command": "a" } ] } ], // edits
        "Stop": [
            {
                "hooks": [
                    {
                        "type": "command",
                        "command": "npm test"
                    }
                ]
            }
        ],
    },
}
`);
  });

  it("joins the group with the same matcher, on its line where the group stands on one line", () => {
    const before =
      '{"hooks":{"PostToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"a"}]}]}}';
    expect(added(before, "PostToolUse", "Edit")).toBe(
      '{"hooks":{"PostToolUse":[{"matcher":"Edit","hooks":[{"type":"command","command":"a"}, {"type":"command","command":"npm test"}]}]}}',
    );
    expect(parse(added(before, "PostToolUse", "Write")).hooks.PostToolUse).toHaveLength(2);
  });

  it("writes with the file's own line ends and tabs", () => {
    const before = '{\r\n\t"hooks": {\r\n\t\t"Stop": []\r\n\t}\r\n}\r\n';
    const after = added(before);
    expect(after.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(after).toContain('\r\n\t\t\t{\r\n\t\t\t\t"hooks": [');
    expect(parse(after)).toEqual({ hooks: { Stop: [{ hooks: [hook] }] } });
  });

  it("H28.3 adds to the last of two keys of one name, which is the one that counts", () => {
    const group = { hooks: [hook] };
    expect(JSON.parse(added('{"hooks":{"Stop":[]},"hooks":{}}'))).toEqual({ hooks: { Stop: [group] } });
    expect(JSON.parse(added('{"hooks":{"Stop":[],"Stop":[]}}'))).toEqual({ hooks: { Stop: [group] } });
    const twice = '{"hooks":{"Stop":[{"hooks":[{"command":"a","type":"command","command":"b"}]}]}}';
    expect(JSON.parse(edited(twice, { command: "b" }, { command: "c" }))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: "command", command: "c" }] }] },
    });
  });

  it("keeps what stands in an empty object", () => {
    expect(added("{ /* nothing yet */ }")).toContain("/* nothing yet */");
    expect(parse(added("{}"))).toEqual({ hooks: { Stop: [{ hooks: [hook] }] } });
  });

  it("changes nothing where the file is broken, of another shape, or has that hook", () => {
    expect(addHook('{"hooks": {', "Stop", undefined, hook)).toMatchObject({
      ok: false,
      problem: { code: "notJson", line: 1 },
    });
    expect(addHook("[]", "Stop", undefined, hook)).toMatchObject({
      ok: false,
      problem: { code: "wrongShape" },
    });
    expect(addHook('{"hooks":[]}', "Stop", undefined, hook)).toMatchObject({
      problem: { path: "hooks", expected: "object" },
    });
    expect(addHook('{"hooks":{"Stop":"x"}}', "Stop", undefined, hook)).toMatchObject({
      problem: { path: "hooks.Stop" },
    });
    expect(addHook(added(""), "Stop", undefined, hook)).toMatchObject({
      problem: { code: "alreadyThere", line: 6 },
    });
  });
});

describe("editing a hook in the text of a settings file", () => {
  const file = `{
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit", // edits only
        "hooks": [
          { "type": "command", "command": "a", "timeout": 5 }, // first
          { "type": "command", "command": "b" } // second
        ]
      }
    ]
  }
}
`;

  it("H29.4 changes one field and no other byte", () => {
    expect(edited(file, { event: "PostToolUse", line: 7 }, { timeoutSeconds: 60 })).toBe(
      file.replace('"timeout": 5', '"timeout": 60'),
    );
    expect(edited(file, { command: "b" }, { command: 'say "hi"' })).toBe(
      file.replace('"command": "b"', '"command": "say \\"hi\\""'),
    );
    expect(edited(file, { command: "b" }, { async: true })).toBe(
      file.replace('"command": "b"', '"command": "b", "async":true'),
    );
    expect(edited(file, { command: "a" }, { timeoutSeconds: null })).toBe(file.replace(', "timeout": 5', ""));
  });

  it("H29.4 moves a hook whose matcher or event changes and leaves its neighbour", () => {
    const moved = edited(file, { command: "b" }, { matcher: "Write" });
    expect(parse(moved).hooks.PostToolUse).toEqual([
      { matcher: "Edit", hooks: [{ type: "command", command: "a", timeout: 5 }] },
      { matcher: "Write", hooks: [{ type: "command", command: "b" }] },
    ]);
    expect(moved).toContain("// first");
    const other = edited(moved, { command: "b" }, { event: "Stop", matcher: null });
    expect(parse(other).hooks.Stop).toEqual([{ hooks: [{ type: "command", command: "b" }] }]);
    expect(parse(other).hooks.PostToolUse).toHaveLength(1);
  });

  it("changes the matcher in place where the hook is alone in its group", () => {
    const alone =
      '{\n  "hooks": {\n    "Stop": [\n      { "matcher": "x", "hooks": [{ "type": "command", "command": "a" }] } // why\n    ]\n  }\n}';
    expect(edited(alone, { command: "a" }, { matcher: "y" })).toBe(alone.replace('"x"', '"y"'));
  });

  it("takes both marks from a hook that is to wait", () => {
    const rewake =
      '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"a","async":true,"asyncRewake":true}]}]}}';
    expect(parse(edited(rewake, { command: "a" }, { async: false })).hooks.Stop[0].hooks[0]).toEqual({
      type: "command",
      command: "a",
    });
  });

  it("fits a command that the prompt shows on one line and cut", () => {
    const long = `first\nsecond ${"x".repeat(200)}`;
    const text = added("", "Stop", undefined, { type: "command", command: long });
    const shown = `${long.replace("\n", " ").slice(0, 120)}…`;
    expect(
      parse(edited(text, { command: shown }, { timeoutSeconds: 3 })).hooks.Stop[0].hooks[0].timeout,
    ).toBe(3);
  });

  it("changes nothing where no hook fits, several do, or it is like that already", () => {
    expect(editHook(file, { command: "zzz" }, { timeoutSeconds: 1 })).toMatchObject({
      problem: { code: "notFound" },
    });
    expect(editHook(file, { event: "PostToolUse" }, { timeoutSeconds: 1 })).toMatchObject({
      problem: { code: "ambiguous", count: 2 },
    });
    expect(editHook(file, { command: "a" }, { timeoutSeconds: 5 })).toMatchObject({
      problem: { code: "unchanged" },
    });
  });
});

describe("the change as an Edit call", () => {
  it("is whole lines that occur once", () => {
    const before = "a\nb\nb\nc\n";
    const edit = smallestEdit(before, "a\nb\nx\nb\nc\n");
    expect(edit && before.split(edit.oldString)).toHaveLength(2);
    expect(edit && before.replace(edit.oldString, () => edit.newString)).toBe("a\nb\nx\nb\nc\n");
    expect(smallestEdit("a", "a")).toBeUndefined();
  });
});
