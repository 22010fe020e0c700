import type { FileProblem, HookSnapshot, HookView } from "../../../src/protocol/hookView.ts";

let nextPlace = 0;

/** A hook as the host lists it; what a test cares about is given. */
export function hookView(given: Partial<HookView> = {}): HookView {
  const tab = given.tab ?? "user";
  const file = tab === "project" ? "/home/ada/shop/.wave/settings.json" : "/home/ada/.wave/settings.json";
  nextPlace++;
  return {
    id: `${file}#${nextPlace}`,
    tab,
    source: tab,
    sourceLabel: { user: "User", project: "Project", plugin: "Plugin: lint" }[tab],
    dialect: "wave",
    event: "PostToolUse",
    eventLabel: "After a tool call",
    matcher: "Write|Edit",
    command: "npm run lint",
    timeoutSeconds: 600,
    timeoutIsDefault: true,
    async: false,
    asyncRewake: false,
    file,
    fileLabel: tab === "project" ? ".wave/settings.json" : "~/.wave/settings.json",
    line: 7,
    column: 11,
    willRun: true,
    warnings: [],
    canChange: tab !== "plugin",
    ...given,
  };
}

export function fileProblem(given: Partial<FileProblem> = {}): FileProblem {
  return {
    tab: "user",
    severity: "error",
    file: "/home/ada/.wave/settings.json",
    fileLabel: "~/.wave/settings.json",
    line: 12,
    column: 5,
    reason: "“hooks” must be an object, not a list.",
    advice: "Replace the list by an object whose keys are events.",
    ...given,
  };
}

export function hookSnapshot(hooks: readonly HookView[], given: Partial<HookSnapshot> = {}): HookSnapshot {
  return {
    revision: 1,
    projectName: "shop",
    projectDir: "/home/ada/shop",
    trusted: true,
    hooks,
    problems: [],
    ...given,
  };
}

/** Hooks of every kind: what a settings page has to show. */
export function sampleHooks(): HookView[] {
  return [
    hookView({ description: "Lints what the agent has written." }),
    hookView({
      event: "PreToolUse",
      eventLabel: "Before a tool call",
      matcher: "Bash",
      command: "node ~/.wave/guard.mjs --deny 'rm -rf'",
      timeoutSeconds: 20,
      timeoutIsDefault: false,
      line: 15,
    }),
    hookView({
      event: "Stop",
      eventLabel: "At the end of a turn",
      matcher: undefined as never,
      command: "notify-send 'Turn finished'",
      async: true,
      line: 24,
    }),
    hookView({
      event: "preToolUse",
      eventLabel: "Before a tool call",
      otherEventName: "PreToolUse",
      dialect: "copilot",
      file: "/home/ada/.copilot/hooks/audit.json",
      fileLabel: "~/.copilot/hooks/audit.json",
      matcher: undefined as never,
      command: "https://audit.example.com/hooks",
      timeoutSeconds: 30,
      line: 4,
    }),
    hookView({
      event: "BeforeCoffee",
      eventLabel: undefined as never,
      matcher: "*",
      command: "brew",
      willRun: false,
      notRunning: { reason: "bad", text: "There is no event “BeforeCoffee”." },
      warnings: ["Did you mean “PreToolUse”?"],
      line: 31,
    }),
    hookView({
      tab: "project",
      event: "PostToolUse",
      matcher: "Edit",
      command: "npm test",
      asyncRewake: true,
    }),
    hookView({
      tab: "project",
      source: "local",
      sourceLabel: "Project (local)",
      file: "/home/ada/shop/.wave/settings.local.json",
      fileLabel: ".wave/settings.local.json",
      event: "SessionStart",
      eventLabel: "When a session starts",
      matcher: "startup|resume",
      command: "cat NOTES.md",
    }),
    hookView({
      tab: "plugin",
      file: "/home/ada/.wave/plugins/lint/hooks/hooks.json",
      fileLabel: "~/.wave/plugins/lint/hooks/hooks.json",
      command: "node lint.mjs --fix",
      description: "Lint of the plugin.",
    }),
  ];
}
