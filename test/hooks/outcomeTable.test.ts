import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandResult } from "../../src/hooks/commandRunner.ts";
import type { HookEvent } from "../../src/hooks/hookEvent.ts";
import { hookEvents, waveEventNames } from "../../src/hooks/hookEvents.ts";
import { mergeEffects } from "../../src/hooks/mergeEffects.ts";
import { waveDialect } from "../../src/hooks/waveDialect.ts";
import { HookSetup, hook, sampleEvents, type WaveEventName, waveEvents } from "../support/hookSetup.ts";

/** What the seeds say of each event, written out by hand: `two` and `other` are who learns of stderr. */
interface Expected {
  ids: string;
  /** Exit code 2: the event is blocked, or only told about. */
  two: "block" | "tell" | "report" | "refuse";
  twoTo: "model" | "user" | "log" | "warning";
  /** The wording of exit code 2 with "why" on stderr. */
  twoText?: string;
  otherTo: "user" | "log" | "warning";
  context?: true;
  decision?: true;
  noSystemMessage?: true;
  plainStdout?: "context" | "compactInstructions" | "worktreePath";
}

const command = "the command";
const expected: Record<WaveEventName, Expected> = {
  PreToolUse: {
    ids: "X1 H16.1",
    two: "block",
    twoTo: "model",
    twoText: "PreToolUse:Write hook error: why",
    otherTo: "user",
    context: true,
    noSystemMessage: true,
  },
  PostToolUse: {
    ids: "X2 H16.2 E17",
    two: "tell",
    twoTo: "model",
    twoText: `PostToolUse:Write hook blocking error from command: "${command}": why`,
    otherTo: "user",
    context: true,
    noSystemMessage: true,
  },
  UserPromptSubmit: {
    ids: "X3",
    two: "block",
    twoTo: "user",
    twoText: "why",
    otherTo: "user",
    context: true,
    plainStdout: "context",
  },
  Stop: { ids: "X4", two: "block", twoTo: "model", twoText: "why", otherTo: "user", decision: true },
  SubagentStop: { ids: "X5", two: "block", twoTo: "model", twoText: "why", otherTo: "user", decision: true },
  PermissionRequest: { ids: "X6", two: "block", twoTo: "user", twoText: "why", otherTo: "user" },
  WorktreeCreate: { ids: "X7", two: "refuse", twoTo: "user", otherTo: "user", plainStdout: "worktreePath" },
  WorktreeRemove: { ids: "X8", two: "report", twoTo: "log", otherTo: "log" },
  PreCompact: {
    ids: "X9 H19.3",
    two: "report",
    twoTo: "log",
    otherTo: "log",
    plainStdout: "compactInstructions",
  },
  PostCompact: { ids: "X10 H20.2", two: "report", twoTo: "user", twoText: "why", otherTo: "user" },
  SessionStart: { ids: "SE3", two: "report", twoTo: "warning", otherTo: "warning", context: true },
  SessionEnd: { ids: "SE2", two: "report", twoTo: "warning", otherTo: "warning" },
};

const stdouts: Record<string, (event: string) => string> = {
  nothing: () => "",
  blanks: () => " \n\t\n",
  "plain text": () => "plain\n",
  array: () => '["a"]',
  string: () => '"text"',
  number: () => "42",
  null: () => "null",
  "half an object": () => '{"systemMessage": "x"',
  "an empty object": () => "{}",
  context: (event) => json({ hookSpecificOutput: { hookEventName: event, additionalContext: "CTX" } }),
  "empty context": (event) => json({ hookSpecificOutput: { hookEventName: event, additionalContext: "" } }),
  "context of another event": () =>
    json({ hookSpecificOutput: { hookEventName: "Other", additionalContext: "CTX" }, systemMessage: "SYS" }),
  "context without an event": () => json({ hookSpecificOutput: { additionalContext: "CTX" } }),
  "context that is no string": (event) =>
    json({ hookSpecificOutput: { hookEventName: event, additionalContext: { a: 1 } } }),
  "output that is no object": () => json({ hookSpecificOutput: [1] }),
  "system message": () => json({ systemMessage: "SYS" }),
  "blank system message": () => json({ systemMessage: " " }),
  decision: () => json({ decision: "block", reason: "REASON" }),
  "decision without a reason": () => json({ decision: "block", reason: " " }),
  "decision to approve": () => json({ decision: "approve", reason: "REASON" }),
  "rewritten facts": (event) =>
    json({
      hookSpecificOutput: {
        hookEventName: event,
        updatedInput: { a: 1 },
        updatedToolOutput: "x",
        updatedMCPToolOutput: "x",
        permissionDecision: "deny",
      },
    }),
  "a foreign prototype": () =>
    '{"__proto__": {"decision": "block", "reason": "REASON", "systemMessage": "SYS"}}',
  "10,000 deep": () => `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
};
const illegal = new Set([
  "context of another event",
  "context without an event",
  "context that is no string",
  "output that is no object",
]);
const texts = new Map([
  ["plain text", "plain"],
  ["array", '["a"]'],
  ["string", '"text"'],
  ["number", "42"],
  ["null", "null"],
  ["half an object", '{"systemMessage": "x"'],
]);

function json(value: unknown): string {
  return JSON.stringify(value);
}

function outcomeOf(event: HookEvent, result: Partial<CommandResult>) {
  const definition = hook({ event: event.name, command });
  const whole: CommandResult = {
    end: { kind: "exit", code: 0 },
    stdout: "",
    stderr: "",
    stdoutWasCut: false,
    stderrWasCut: false,
    durationMs: 1,
    ...result,
  };
  const session = { sessionId: "s", transcriptPath: "/t", cwd: "/p", permissionMode: "default" } as const;
  const effects = waveDialect.interpret({ hook: definition, event, session, result: whole });
  return { effects, result: mergeEffects(event, [{ hook: definition, effects }], [waveDialect], []) };
}

const wrapped = (text: string) => `<system-reminder>\n${text}\n</system-reminder>`;

describe("the table of events", () => {
  it("holds exactly the events of the seeds", () => {
    expect([...waveEventNames].sort()).toEqual([...waveEvents].sort());
    expect(Object.values(hookEvents).every((row) => row.label !== "" && row.description !== "")).toBe(true);
  });
});

for (const name of waveEvents) {
  const want = expected[name];
  const event = sampleEvents[name];

  describe(`${want.ids} J1 J3 H15.1 H15.2 H13.2 H13.3: every cell of ${name}`, () => {
    for (const [kind, print] of Object.entries(stdouts)) {
      for (const code of [0, 1, 2, 126, 127, 255]) {
        it(`exit ${code} with ${kind} on stdout`, () => {
          const { effects, result } = outcomeOf(event, {
            end: { kind: "exit", code },
            stdout: print(name),
            stderr: "why\n",
          });
          const blocksByDecision = want.decision === true && kind === "decision" && code === 0;
          const makesWorktree = want.plainStdout === "worktreePath" && code === 0 && texts.has(kind);
          const refuses = name === "WorktreeCreate" && !makesWorktree;
          const blockedByTwo = code === 2 && want.two === "block";

          // Block
          if (blockedByTwo) expect(result.block?.text).toBe(want.twoText);
          else if (blocksByDecision) expect(result.block?.text).toBe("REASON");
          else if (refuses) expect(result.block?.text).toMatch(/^No hook created the worktree\./);
          else expect(result.block).toBeUndefined();

          // For the model
          const messages: string[] = [];
          if (code === 2 && want.two === "tell") messages.push(want.twoText ?? "?");
          if (want.plainStdout === "context" && code === 0 && texts.has(kind)) {
            messages.push(wrapped(texts.get(kind) ?? ""));
          }
          if (want.context === true && kind === "context" && !(name === "UserPromptSubmit" && code === 2)) {
            messages.push(wrapped("CTX"));
          }
          expect(result.modelMessages).toEqual(messages);

          // For the user
          const errors = result.notices.filter(({ level }) => level === "error").map(({ text }) => text);
          const infos = result.notices.filter(({ level }) => level === "info").map(({ text }) => text);
          expect(infos).toEqual(kind === "system message" && !want.noSystemMessage ? ["SYS"] : []);
          const illegalReports = errors.filter((text) => text.includes("not valid hook output"));
          expect(illegalReports).toHaveLength(illegal.has(kind) ? 1 : 0);
          const reports = errors.filter((text) => !illegalReports.includes(text));
          const audience = code === 2 ? want.twoTo : code === 0 ? undefined : want.otherTo;
          const isShown = audience === "user" && !blockedByTwo && !refuses;
          expect(reports).toHaveLength(isShown ? 1 : 0);
          if (isShown) expect(reports[0]).toContain("why");
          if (isShown && code !== 2) expect(reports[0]).toContain(`exit code ${code}`);

          // For the log alone
          const level = audience === "warning" ? "warn" : audience === "log" ? "info" : undefined;
          expect(effects.log?.level).toBe(level);

          // Answers
          expect(result.compactInstructions).toBe(
            want.plainStdout === "compactInstructions" && code === 0 ? texts.get(kind) : undefined,
          );
          if (makesWorktree) expect(result.worktreePath).toBe(`/p/${texts.get(kind)}`);
          else expect(result.worktreePath).toBeUndefined();
          expect(result).not.toHaveProperty("permission");
          expect(result).not.toHaveProperty("modifiedToolInput");
        });
      }
    }

    it.each([
      [{ kind: "signal", signal: "SIGKILL" }, "was killed by SIGKILL"],
      [{ kind: "timeout" }, "timeout of"],
      [{ kind: "failedToStart", reason: "no shell" }, "no shell"],
      [{ kind: "aborted" }, ""],
    ] as const)("E1 ended by %j: only a report", (end, words) => {
      const stdout = json({
        decision: "block",
        reason: "REASON",
        systemMessage: "SYS",
        hookSpecificOutput: { hookEventName: name, additionalContext: "CTX" },
      });
      const { effects, result } = outcomeOf(event, { end, stdout, stderr: "why" });
      expect(result.modelMessages).toEqual([]);
      if (name === "WorktreeCreate") expect(result.block?.text).toContain("No hook created the worktree.");
      else expect(result.block).toBeUndefined();
      const reports = [...result.notices.map(({ text }) => text), effects.log?.text ?? ""].join("\n");
      if (end.kind === "aborted") expect(reports).toBe("");
      else if (name === "WorktreeCreate") expect(result.block?.text).toContain(words);
      else expect(reports).toContain(words);
      expect(effects.log !== undefined).toBe(want.otherTo !== "user" && end.kind !== "aborted");
    });

    it("exit 2 without stderr still blocks, with a reason that names the hook", () => {
      const { result } = outcomeOf(event, { end: { kind: "exit", code: 2 }, stdout: "ignored" });
      const text = result.block?.text ?? result.modelMessages[0];
      if (want.two === "block" || want.two === "tell") {
        expect(text).toContain(`${name} hook "${command}" exited with code 2 and gave no reason`);
      }
      if (want.two === "block") expect(result.block).toBeDefined();
    });
  });
}

describe("with real processes", () => {
  let setup: HookSetup;
  beforeAll(async () => {
    setup = await HookSetup.create();
  });
  afterAll(() => setup.dispose());

  for (const name of waveEvents) {
    const want = expected[name];
    it(`${want.ids} H13.2 H13.3 H15.1 ${name} with exit codes 0, 1 and 2`, async () => {
      const script = (code: number) => `cat > input; echo '"out"'; echo why >&2; exit ${code}`;
      const zero = await setup.fire([{ event: name, command: script(0) }]);
      expect(zero.notices).toEqual([]);
      expect(zero.block).toBeUndefined();
      expect(zero.modelMessages).toEqual(want.plainStdout === "context" ? [wrapped('"out"')] : []);

      const logged = setup.logger.lines.length;
      const one = await setup.fire([{ event: name, command: script(1) }]);
      expect(one.modelMessages).toEqual([]);
      expect(setup.logger.lines.length - logged).toBe(want.otherTo === "user" ? 0 : 1);
      if (name === "WorktreeCreate") expect(one.block?.text).toContain("exit code 1");
      else expect(one.block).toBeUndefined();

      const two = await setup.fire([{ event: name, command: script(2) }]);
      expect(two.block !== undefined).toBe(want.two === "block" || want.two === "refuse");
      if (want.two === "block") expect(two.block?.text).toBe(want.twoText);
      if (want.two === "tell") {
        expect(two.modelMessages).toEqual([
          `PostToolUse:Write hook blocking error from command: "${script(2)}": why`,
        ]);
      }
      expect(two.records[0]).toMatchObject({ event: name, end: { kind: "exit", code: 2 }, stderr: "why\n" });
    });
  }
});
