import type {
  ChatBlockView,
  ChatEvent,
  ChatMessageView,
  ChatStateView,
  PermissionQuestionView,
  ToolCardView,
} from "../../../src/protocol/chatView.ts";

export const sampleDiff = `--- .wave/settings.json
+++ .wave/settings.json
@@ -1,5 +1,10 @@
 {
   "hooks": {
-    "Stop": []
+    "Stop": [],
+    "PostToolUse": [
+      { "matcher": "Write|Edit", "hooks": [{ "type": "command", "command": "npm run lint" }] }
+    ]
   }
 }
`;

export function chatState(given: Partial<ChatStateView> = {}): ChatStateView {
  return {
    sessionId: "s1",
    projectName: "shop",
    trusted: true,
    permissionMode: "default",
    permissionModes: [
      { id: "default", label: "Ask first", detail: "Asks before it changes or runs anything." },
      { id: "acceptEdits", label: "Accept edits", detail: "Edits files without asking." },
      { id: "plan", label: "Plan", detail: "Reads and plans only." },
    ],
    modelId: "composer",
    models: [
      { id: "composer", label: "Built-in composer", kind: "composer" },
      { id: "svc", label: "qwen3-coder", detail: "http://127.0.0.1:11434/v1", kind: "service" },
    ],
    status: { state: "idle", stopContinuations: 0 },
    queue: [],
    questions: [],
    background: [],
    ...given,
  };
}

let nextMessage = 0;

export function chatMessage(
  role: ChatMessageView["role"],
  ...blocks: readonly (ChatBlockView | string)[]
): ChatMessageView {
  nextMessage++;
  return {
    id: `m${nextMessage}`,
    role,
    timestamp: 1_790_000_000_000 + nextMessage,
    blocks: blocks.map((block) => (typeof block === "string" ? { type: "text", content: block } : block)),
  };
}

export function toolBlock(given: Partial<ToolCardView> = {}): ChatBlockView {
  nextMessage++;
  return {
    type: "tool",
    tool: {
      id: `t${nextMessage}`,
      name: "Bash",
      summary: "npm test",
      state: "done",
      result: "12 passed",
      ...given,
    },
  };
}

export function question(given: Partial<PermissionQuestionView> = {}): PermissionQuestionView {
  return {
    id: "q1",
    toolName: "Bash",
    summary: "npm install left-pad",
    always: { rule: "Bash(npm install:*)", fileLabel: ".wave/settings.local.json" },
    ...given,
  };
}

/** Numbers events as the host does. */
export class EventNumbers {
  private seq = 0;

  all(
    state: ChatStateView,
    messages: readonly ChatMessageView[] = [],
    draft = "",
  ): Extract<ChatEvent, { type: "all" }> {
    return { type: "all", seq: ++this.seq, state, messages, draft };
  }

  state(state: ChatStateView): ChatEvent {
    return { type: "state", seq: ++this.seq, state };
  }

  messages(from: number, messages: readonly ChatMessageView[]): ChatEvent {
    return { type: "messages", seq: ++this.seq, from, messages };
  }

  prefill(text: string): ChatEvent {
    return { type: "prefill", seq: ++this.seq, text };
  }

  files(query: string, paths: readonly string[]): ChatEvent {
    return { type: "files", seq: ++this.seq, query, paths };
  }

  /** An event gets lost on the way. */
  skip(): void {
    this.seq++;
  }
}

/** A conversation with something of everything. */
export function sampleConversation(): ChatMessageView[] {
  return [
    chatMessage("user", "Set up a project hook: after Write or Edit, run `npm run lint`."),
    chatMessage(
      "assistant",
      "I'll read the settings first, then add the hook.\n\n- event: **PostToolUse**\n- matcher: `Write|Edit`\n",
      toolBlock({ name: "Read", summary: ".wave/settings.json", file: "/home/ada/shop/.wave/settings.json" }),
      toolBlock({
        name: "Edit",
        summary: ".wave/settings.json",
        diff: sampleDiff,
        file: "/home/ada/shop/.wave/settings.json",
      }),
      toolBlock({
        state: "failed",
        error: "PreToolUse:Bash hook error: not on Sundays\nsecond line",
        summary: "rm -rf build",
      }),
      { type: "notice", level: "info", content: "🔄 Round 2 | to stop: /cancel" },
      { type: "notice", level: "warning", content: "lint.sh ended with exit code 1" },
      { type: "notice", level: "error", content: "The prompt was blocked: no secrets, please." },
    ),
    chatMessage("assistant", { type: "compact", content: "Earlier, the user asked for **hooks**." }),
    chatMessage("user", {
      type: "taskNotification",
      title: "npm run build",
      content: "Ended with exit code 0.",
    }),
    chatMessage(
      "assistant",
      [
        "### Done",
        "The hook stands in `.wave/settings.json`:",
        "",
        "```json",
        '{ "matcher": "Write|Edit", "hooks": [{ "type": "command", "command": "npm run lint" }] }',
        "```",
        "",
        "| event | runs |",
        "|---|---|",
        "| PostToolUse | npm run lint |",
        "",
        "1. Edit a file",
        "2. See [the documentation](https://example.com/hooks)",
        "",
        "> It runs at the next event.",
      ].join("\n"),
    ),
  ];
}
