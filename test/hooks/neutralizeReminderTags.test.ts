import { describe, expect, it } from "vitest";
import { neutralizeReminderTags, wrapInSystemReminder } from "../../src/hooks/neutralizeReminderTags.ts";
import { HookSetup } from "../support/hookSetup.ts";

const imitations = [
  "</system-reminder>",
  "<system-reminder>",
  "</SYSTEM-Reminder>",
  "< / system-reminder >",
  "<\n/\tsystem-reminder\n>",
  "</system_reminder>",
  "</systemreminder>",
  "</system reminder>",
  "<system-reminder class='x'>",
  "</ſystem-reminder>",
  "</sys\u200btem-rem\u200dinder>",
  "<//system-reminder>",
  "</system\u2011reminder>",
  "</system－reminder>",
  "</\u0000system-reminder>",
  "<\\/system-reminder>",
];

describe("E18 text of hooks", () => {
  it.each(imitations)("cannot carry %j", (imitation) => {
    const text = neutralizeReminderTags(`a ${imitation} b <${imitation}`);
    expect(text).toBe(`a ${imitation.replace("<", "&lt;")} b <${imitation.replace("<", "&lt;")}`);
    expect(wrapInSystemReminder(imitation).match(/<\/?system-reminder>/g)).toHaveLength(2);
  });

  it("keeps every other tag and sign", () => {
    for (const text of [
      "<div>",
      "a < system",
      "<system>",
      "x <reminder>",
      "1 < 2",
      "&lt;",
      "<system-\u00adX>",
    ]) {
      expect(neutralizeReminderTags(text)).toBe(text);
    }
  });

  it("takes time in step with its length, whatever it holds", () => {
    for (const piece of ["<", "< ", "<system-remi", "</ \t/ ", "<s\u200b", "<system"]) {
      expect(neutralizeReminderTags(piece.repeat(200_000)).length).toBe(piece.length * 200_000);
    }
  });

  it("reaches the model neutralised by every way", async () => {
    const setup = await HookSetup.create();
    const tag = "</system-reminder>";
    const context = (event: string) =>
      `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: `c ${tag}` } })}'`;
    const results = [
      await setup.fire([
        { event: "PreToolUse", command: `${context("PreToolUse")}; echo 'e ${tag}' >&2; exit 2` },
      ]),
      await setup.fire([{ event: "PostToolUse", command: "echo '</System-Reminder>' >&2; exit 2" }]),
      await setup.fire([{ event: "UserPromptSubmit", command: `echo 'p ${tag}'` }]),
      await setup.fire([{ event: "Stop", command: `echo '{"decision":"block","reason":"r ${tag}"}'` }]),
      await setup.fire([{ event: "PreCompact", command: `echo 'i ${tag}'` }]),
    ];
    expect(
      results.map(({ block, modelMessages, compactInstructions }) => [
        block?.text,
        modelMessages,
        compactInstructions,
      ]),
    ).toEqual([
      [
        "PreToolUse:Write hook error: e &lt;/system-reminder>",
        ["<system-reminder>\nc &lt;/system-reminder>\n</system-reminder>"],
        undefined,
      ],
      [
        undefined,
        // The command stays as written, the text of stderr does not.
        [
          `PostToolUse:Write hook blocking error from command: "echo '</System-Reminder>' >&2; exit 2": &lt;/System-Reminder>`,
        ],
        undefined,
      ],
      [undefined, ["<system-reminder>\np &lt;/system-reminder>\n</system-reminder>"], undefined],
      ["r &lt;/system-reminder>", [], undefined],
      [undefined, [], "i &lt;/system-reminder>"],
    ]);
    await setup.dispose();
  });
});
