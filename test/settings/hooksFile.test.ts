import { describe, expect, it } from "vitest";
import { waveEventNames } from "../../src/hooks/hookEvents.ts";
import { parseCodeHooks, parseHooksFile } from "../../src/settings/hooksFile.ts";
import { describeProblem } from "../../src/settings/settingsProblem.ts";

const file = "/home/me/.wave/settings.json";

function parse(text: string) {
  return parseHooksFile(text, { source: "user", dialect: "wave", file });
}

/** `Stop: "a"` for a hook that runs, `Stop: typeMissing` for one that does not. */
function hooksIn(text: string): string[] {
  return parse(text).hooks.map(({ event, command, definition, bad }) =>
    definition ? `${event}: ${JSON.stringify(command)}` : `${event}: ${bad?.code}`,
  );
}

function problemsIn(text: string): string[] {
  return parse(text).problems.map(
    ({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`,
  );
}

function stop(hook: string): string {
  return `{"hooks": {"Stop": [{"hooks": [${hook}, {"type": "command", "command": "neighbour"}]}]}}`;
}

describe("parseHooksFile", () => {
  it("H27.3 reads every field of a hook, and where it stands", () => {
    const text = `{
  "hooks": {
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [
          { "type": "command", "command": "lint.sh", "description": "Lints", "timeout": 1.5, "asyncRewake": true }
        ]
      }
    ]
  }
}`;
    const { hooks, problems, isValid } = parse(text);
    expect(problems).toEqual([]);
    expect(isValid).toBe(true);
    const jsonPath = ["hooks", "PostToolUse", 0, "hooks", 0];
    expect(hooks).toEqual([
      {
        event: "PostToolUse",
        matcher: "Edit|Write",
        command: "lint.sh",
        description: "Lints",
        timeoutSeconds: 1.5,
        timeoutIsDefault: false,
        async: true,
        asyncRewake: true,
        jsonPath,
        offset: text.indexOf('{ "type"'),
        length: text.indexOf("\n        ]") - text.indexOf('{ "type"'),
        line: 7,
        column: 11,
        warnings: [],
        definition: {
          event: "PostToolUse",
          writtenEvent: "PostToolUse",
          matcher: "Edit|Write",
          action: { type: "command", command: "lint.sh" },
          description: "Lints",
          timeoutMs: 1500,
          timeoutIsExplicit: true,
          async: true,
          asyncRewake: true,
          provenance: { source: "user", dialect: "wave", file, jsonPath, line: 7, column: 11 },
        },
      },
    ]);
  });

  it("takes the default timeout from the event table", () => {
    const text = (event: string) =>
      `{"hooks": {"${event}": [{"hooks": [{"type": "command", "command": "x"}]}]}}`;
    const seconds = (event: string) => parse(text(event)).hooks[0]?.timeoutSeconds;
    expect(seconds("Stop")).toBe(600);
    expect(seconds("SessionEnd")).toBe(10);
  });

  it("knows every event of the table", () => {
    const groups = waveEventNames.map(
      (name) => `"${name}": [{"hooks": [{"type": "command", "command": "x"}]}]`,
    );
    const { hooks, problems } = parse(`{"hooks": {${groups.join()}}}`);
    expect(problems).toEqual([]);
    expect(hooks.map(({ definition }) => definition?.event)).toEqual(waveEventNames);
  });

  it("reads hooks in order of definition", () => {
    const text = `{"hooks": {
      "Stop": [{"hooks": [{"type": "command", "command": "1"}, {"type": "command", "command": "2"}]},
               {"hooks": [{"type": "command", "command": "3"}]}],
      "PreToolUse": [{"hooks": [{"type": "command", "command": "4"}]}]}}`;
    expect(hooksIn(text)).toEqual(['Stop: "1"', 'Stop: "2"', 'Stop: "3"', 'PreToolUse: "4"']);
  });

  it.each([
    ["", false, ["warning fileEmpty 1:1"]],
    [" \n\t", false, ["warning fileEmpty 1:1"]],
    ["// nothing", false, ["error jsonNothing 1:11"]],
    ["[]", false, ["error notAnObject 1:1"]],
    ["null", false, ["error notAnObject 1:1"]],
    ["12", false, ["error notAnObject 1:1"]],
    ["{}", true, []],
    ['{"hooks": []}', true, ["error hooksNotAnObject 1:11"]],
    ['{"hooks": null}', true, ["error hooksNotAnObject 1:11"]],
    ['{"hooks": {}}', true, []],
    ['{"hooks": {"Stop": "x"}}', true, ["error eventNotAList 1:20"]],
    ['{"hooks": {"Stop": {"hooks": []}}}', true, ["error eventNotAList 1:20"]],
    ['{"hooks": {"Stop": []}}', true, []],
    [
      '{"hooks": {"Stop": [1, null, "x", []]}}',
      true,
      [
        "error groupNotAnObject 1:21",
        "error groupNotAnObject 1:24",
        "error groupNotAnObject 1:30",
        "error groupNotAnObject 1:35",
      ],
    ],
    ['{"hooks": {"Stop": [{}]}}', true, ["error groupWithoutHooks 1:21"]],
    ['{"hooks": {"Stop": [{"type": "command", "command": "x"}]}}', true, ["error groupWithoutHooks 1:21"]],
    ['{"hooks": {"Stop": [{"hooks": {}}]}}', true, ["error groupHooksNotAList 1:31"]],
    ['{"hooks": {"Stop": [{"hooks": []}]}}', true, []],
    ['{"disableAllHooks": "yes"}', true, ["warning settingNotBoolean 1:21"]],
    ['{"enabledPlugins": []}', true, ["warning settingNotObject 1:20"]],
    ['{"enabledPlugins": {"a": 1}}', true, ["warning settingNotBoolean 1:26"]],
    ['{"hooks": {"Stop": [', false, ["error jsonNotClosed 1:21"]],
  ])("E6 takes %j as it is and says what is wrong", (text, isValid, problems) => {
    expect(parse(text).isValid).toBe(isValid);
    expect(hooksIn(text)).toEqual([]);
    expect(problemsIn(text)).toEqual(problems);
  });

  it("E6 lists nothing of a file that is cut off anywhere, and never throws", () => {
    const whole = stop('{"type": "command", "command": "a \\u00e4 🚀", "timeout": 1.5e1} /* c */ // d\n');
    expect(parse(whole).isValid).toBe(true);
    for (let length = 0; length < whole.length; length++) {
      const { hooks, isValid, problems } = parse(whole.slice(0, length));
      expect([hooks, isValid, problems.length]).toEqual([[], false, 1]);
    }
  });

  it.each([
    ["5", "hookNotAnObject"],
    ["null", "hookNotAnObject"],
    ["[]", "hookNotAnObject"],
    ['"command"', "hookNotAnObject"],
    ["{}", "typeMissing"],
    ['{"command": "x"}', "typeMissing"],
    ['{"type": "prompt", "prompt": "x"}', "typeUnknown"],
    ['{"type": ["command"], "command": "x"}', "typeUnknown"],
    ['{"type": "command"}', "commandMissing"],
    ['{"type": "command", "command": null}', "commandNotText"],
    ['{"type": "command", "command": ["ls"]}', "commandNotText"],
    ['{"type": "command", "command": " "}', "commandEmpty"],
    ...["0", "-1", '"60"', "null", "true", "1e999", "[]"].map((timeout) => [
      `{"type": "command", "command": "x", "timeout": ${timeout}}`,
      "timeoutInvalid",
    ]),
    ['{"type": "command", "command": "x", "async": "true"}', "flagNotBoolean"],
    ['{"type": "command", "command": "x", "asyncRewake": 1}', "flagNotBoolean"],
  ])("E6 skips the hook %s alone and reports it once", (hook, code) => {
    const { hooks, problems } = parse(stop(hook as string));
    expect(hooks.map(({ bad, definition }) => bad?.code ?? definition?.event)).toEqual([code, "Stop"]);
    expect(problems).toHaveLength(code === "typeMissing" && hook === "{}" ? 2 : 1);
    expect(problems.every(({ severity, line }) => severity === "error" && line === 1)).toBe(true);
  });

  it("keeps timers from overflowing", () => {
    const timeouts = ["1e-9", "1e300"].map(
      (timeout) =>
        parse(stop(`{"type": "command", "command": "x", "timeout": ${timeout}}`)).hooks[0]?.definition
          ?.timeoutMs,
    );
    expect(timeouts).toEqual([1, 2 ** 31 - 1]);
  });

  it("warns of a description that is no text, and runs the hook", () => {
    const text = stop('{"type": "command", "command": "x", "description": 5}');
    expect(hooksIn(text)).toEqual(['Stop: "x"', 'Stop: "neighbour"']);
    expect(parse(text).hooks[0]?.warnings.map(({ code }) => code)).toEqual(["descriptionNotText"]);
  });

  it("ignores and keeps unknown keys without a word", () => {
    const text = `{"$schema": "x", "model": "y", "hooks": {"Stop": [
      {"note": 1, "hooks": [{"type": "command", "command": "x", "enabled": false}]}]}}`;
    expect(hooksIn(text)).toEqual(['Stop: "x"']);
    expect(problemsIn(text)).toEqual([]);
  });

  it.each([
    ['"("', "matcherInvalid"],
    ['"[a-"', "matcherInvalid"],
    ["5", "matcherNotText"],
    ["null", "matcherNotText"],
    ['["Write"]', "matcherNotText"],
  ])("E6 skips the group with the matcher %s alone and reports it once", (matcher, code) => {
    const text = `{"hooks": {"PreToolUse": [
      {"matcher": ${matcher}, "hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]},
      {"matcher": "Write", "hooks": [{"type": "command", "command": "c"}]}]}}`;
    expect(hooksIn(text)).toEqual([`PreToolUse: ${code}`, `PreToolUse: ${code}`, 'PreToolUse: "c"']);
    expect(problemsIn(text)).toEqual([`error ${code} 2:19`]);
  });

  it("warns of a matcher where the event takes none, and the hook still runs", () => {
    const text = `{"hooks": {"Stop": [{"matcher": "(", "hooks": [{"type": "command", "command": "a"}]}]}}`;
    expect(hooksIn(text)).toEqual(['Stop: "a"']);
    expect(problemsIn(text)).toEqual(["warning matcherIgnored 1:33"]);
    expect(parse(text).hooks[0]?.warnings.map(({ code }) => code)).toEqual(["matcherIgnored"]);
  });

  it.each(["", "*", " "])("does not warn of the matcher %j, which says nothing", (matcher) => {
    const text = `{"hooks": {"Stop": [{"matcher": "${matcher}", "hooks": [{"type": "command", "command": "a"}]}]}}`;
    expect(problemsIn(text)).toEqual([]);
  });

  it("E6 lists the hooks of unknown events as bad, and guesses what was meant", () => {
    const hook = '[{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]}]';
    const text = `{"hooks": {"PostTooluse": ${hook}, "Frobnicate": ${hook}, "__proto__": ${hook},
 "constructor": ${hook}, "Stop": ${hook}}}`;
    expect(hooksIn(text).filter((entry) => entry.startsWith("Stop"))).toEqual(['Stop: "a"', 'Stop: "b"']);
    expect(hooksIn(text)).toContain("PostTooluse: eventMisspelt");
    expect(hooksIn(text)).toContain("__proto__: eventUnknown");
    expect(problemsIn(text)).toEqual([
      "error eventMisspelt 1:12",
      expect.stringMatching(/^warning eventUnknown 1:/),
      expect.stringMatching(/^warning eventUnknown 1:/),
      "warning eventUnknown 2:2",
    ]);
    const first = parse(text).problems[0];
    expect(first && describeProblem(first)).toEqual({
      reason: 'There is no event "PostTooluse", so its hooks never run. Did you mean "PostToolUse"?',
      advice: 'Write "PostToolUse".',
    });
  });

  it("takes the last of equal keys and reports the others", () => {
    const text = `{
"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "hidden"}]}]},
"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "hidden too"}]}],
          "Stop": [{"hooks": [{"type": "command", "command": "old", "command": "new"}]}]}}`;
    expect(hooksIn(text)).toEqual(['Stop: "new"']);
    expect(problemsIn(text)).toEqual([
      "warning duplicateKey 2:1",
      "warning duplicateKey 3:11",
      "warning duplicateKey 4:51",
    ]);
  });

  it("E6 reads beside 10,000 nested lists", () => {
    const deep = "[".repeat(10_000) + "]".repeat(10_000);
    const text = `{"x": ${deep}, "hooks": {"Stop": [${deep}, {"hooks": [${deep}, {"type": "command", "command": ${deep}}, {"type": "command", "command": "a"}]}]}}`;
    expect(hooksIn(text)).toEqual(["Stop: hookNotAnObject", "Stop: commandNotText", 'Stop: "a"']);
  });

  it("keeps the texts of hooks exactly: markup, escape codes, 100 KB, emoji, right to left", () => {
    const commands = [
      "<img src=x onerror=alert(1)>",
      "\u001b[31mred",
      "x".repeat(100_000),
      "🚀👩‍👩‍👧",
      "\u202eabc\u2067",
      "a\u0000b",
    ];
    const hooks = commands.map((command) => ({ type: "command", command, description: command }));
    const { hooks: found } = parse(JSON.stringify({ hooks: { Stop: [{ matcher: commands[0], hooks }] } }));
    expect(found.map(({ command }) => command)).toEqual(commands);
    expect(found.map(({ description }) => description)).toEqual(commands);
  });

  it("cuts what it quotes of a file in a problem", () => {
    const text = stop(`"${"x".repeat(100_000)}"`);
    const [problem] = parse(text).problems;
    expect(problem && describeProblem(problem).reason.length).toBeLessThan(200);
  });

  it("lists the same hook ten times as ten hooks", () => {
    const hook = '{"type": "command", "command": "x"}';
    const { hooks } = parse(`{"hooks": {"Stop": [{"hooks": [${Array(10).fill(hook).join()}]}]}}`);
    expect(hooks.map(({ jsonPath }) => jsonPath.at(-1))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("reads 20 MB", () => {
    const padding = `"pad": "${"x".repeat(20 * 1024 * 1024)}"`;
    const text = `{${padding}, "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}}`;
    expect(hooksIn(text)).toEqual(['Stop: "x"']);
  });
});

describe("parseCodeHooks", () => {
  it("H18.1 reads hooks given in code, without a place in a file", () => {
    const { hooks, problems } = parseCodeHooks({
      Stop: [{ hooks: [{ type: "command", command: "echo done" }] }],
    });
    expect(problems).toEqual([]);
    expect(hooks[0]?.definition?.provenance).toEqual({ source: "code", dialect: "wave" });
  });

  it("H18.2 has no hooks where none are given", () => {
    expect(parseCodeHooks(undefined)).toMatchObject({ hooks: [], problems: [], isValid: true });
  });

  it("skips what is wrong, as in a file", () => {
    const hooks = [
      { type: "command", command: "a", timeout: Number.NaN },
      { type: "command", command: "b" },
    ];
    const { hooks: found } = parseCodeHooks({ Stop: [{ hooks }] });
    expect(found.map(({ bad, command }) => bad?.code ?? command)).toEqual(["timeoutInvalid", "b"]);
  });
});
