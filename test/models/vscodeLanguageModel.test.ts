import { describe, expect, it } from "vitest";
import type * as vscode from "vscode";
import { convertMessagesForAPI } from "../../src/agent/messages/convertMessagesForAPI.ts";
import { assistantMessage, type Message, userMessage } from "../../src/agent/messages/message.ts";
import type { ModelEvent } from "../../src/agent/models/model.ts";
import { resolveModel } from "../../src/agent/models/resolveModel.ts";
import {
  type VscodeChatClasses,
  type VscodeChatModel,
  vscodeLanguageModel,
} from "../../src/agent/models/vscodeLanguageModel.ts";

class Text {
  constructor(readonly value: string) {}
}
class ToolCall {
  constructor(
    readonly callId: string,
    readonly name: string,
    readonly input: object,
  ) {}
}
class ToolResult {
  constructor(
    readonly callId: string,
    readonly content: unknown[],
  ) {}
}
class Source {
  readonly token = { isCancellationRequested: false };
  cancel(): void {
    this.token.isCancellationRequested = true;
  }
  dispose(): void {}
}
const classes: VscodeChatClasses = {
  LanguageModelChatMessage: {
    User: (content) => ({ role: "user", content }),
    Assistant: (content) => ({ role: "assistant", content }),
  },
  LanguageModelTextPart: Text,
  LanguageModelToolCallPart: ToolCall,
  LanguageModelToolResultPart: ToolResult,
  CancellationTokenSource: Source,
};

type Fits<Given, Wanted> = Given extends Wanted ? true : false;

interface Sent {
  messages: { role: string; content: unknown[] }[];
  options: { tools?: unknown[]; justification?: string };
  token: { isCancellationRequested: boolean };
}

function chatThatAnswers(parts: (sent: Sent) => AsyncIterable<unknown>): {
  chat: VscodeChatModel;
  sent: Sent[];
} {
  const sent: Sent[] = [];
  const chat: VscodeChatModel = {
    id: "copilot-gpt",
    name: "GPT",
    vendor: "copilot",
    maxInputTokens: 64_000,
    async sendRequest(messages, options, token) {
      const request = { messages, options, token } as unknown as Sent;
      sent.push(request);
      return { stream: parts(request) };
    },
  };
  return { chat, sent };
}

async function ask(
  chat: VscodeChatModel,
  messages: readonly Message[],
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const languageModel = vscodeLanguageModel(chat, classes, "To answer you.");
  const { model } = resolveModel({ languageModel, contextWindow: chat.maxInputTokens }, {});
  const events: ModelEvent[] = [];
  const tools = [
    {
      name: "Read",
      description: "Reads.",
      inputSchema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object" as const,
        properties: {},
      },
    },
  ];
  for await (const event of model.stream({
    system: "Be brief.",
    prompt: convertMessagesForAPI(messages),
    tools,
    signal,
  })) {
    events.push(event);
  }
  return events;
}

describe("a model of vscode.lm", () => {
  it("takes classes and models of the real module, as the compiler checks", () => {
    const fits: [Fits<typeof vscode, VscodeChatClasses>, Fits<vscode.LanguageModelChat, VscodeChatModel>] = [
      true,
      true,
    ];
    expect(fits).not.toContain(false);
  });

  it("gets system text and tool results in user messages, no $schema, and no broken characters", async () => {
    const { chat, sent } = chatThatAnswers(async function* () {
      yield new Text("Done");
      yield new Text(".");
    });
    const events = await ask(chat, [
      userMessage("read it \ud83d"),
      assistantMessage([
        { type: "text", content: "Reading." },
        {
          type: "tool",
          id: "c1",
          name: "Read",
          parameters: { file_path: "\udc00a" },
          result: "half \ud83d",
          success: true,
          stage: "end",
        },
        {
          type: "tool",
          id: "c2",
          name: "Read",
          parameters: "{bad",
          result: "",
          success: false,
          error: "no",
          stage: "end",
        },
      ]),
      userMessage("context", { isMeta: true }),
    ]);
    expect(sent[0]?.messages).toEqual([
      { role: "user", content: [new Text("Be brief."), new Text("read it \ufffd")] },
      {
        role: "assistant",
        content: [
          new Text("Reading."),
          new ToolCall("c1", "Read", { file_path: "\ufffda" }),
          new ToolCall("c2", "Read", { unreadable_arguments: "{bad" }),
        ],
      },
      {
        role: "user",
        content: [
          new ToolResult("c1", [new Text("half \ufffd")]),
          new ToolResult("c2", [new Text("no")]),
          new Text("context"),
        ],
      },
    ]);
    expect(sent[0]?.options).toEqual({
      justification: "To answer you.",
      tools: [{ name: "Read", description: "Reads.", inputSchema: { type: "object", properties: {} } }],
    });
    expect(events).toEqual([
      { type: "text", delta: "Done" },
      { type: "text", delta: "." },
      { type: "finish", reason: "stop", usage: {} },
    ]);
  });

  it("calls tools; parts that are new to us are passed over", async () => {
    const { chat } = chatThatAnswers(async function* () {
      yield { value: "a thought", kind: "thinking" };
      yield new Text("Let me see.");
      yield new ToolCall("c1", "Read", { file_path: "/a" });
    });
    const events = await ask(chat, [userMessage("read")]);
    expect(events.map((event) => event.type)).toEqual(["text", "toolCallStart", "toolCall", "finish"]);
    expect(events[2]).toEqual({ type: "toolCall", id: "c1", name: "Read", input: { file_path: "/a" } });
    expect(events[3]).toMatchObject({ reason: "toolCalls" });
  });

  it("an interruption cancels the request", async () => {
    const controller = new AbortController();
    const { chat, sent } = chatThatAnswers(async function* () {
      yield new Text("a");
      controller.abort();
      await new Promise(() => {});
    });
    const events = await ask(chat, [userMessage("x")], controller.signal);
    expect(events.at(-1)).toEqual({ type: "aborted" });
    expect(sent[0]?.token.isCancellationRequested).toBe(true);
  });

  it.each([
    ["NoPermissions", "credentials", /not been allowed/],
    ["NotFound", "notFound", /Select Model/],
    ["Blocked", "badRequest", /blocked/],
  ])("the refusal %s is told in words", async (code, kind, words) => {
    const { chat } = chatThatAnswers(() => {
      throw Object.assign(new Error("refused"), { code, name: "LanguageModelError" });
    });
    const events = await ask(chat, [userMessage("x")]);
    expect(events).toMatchObject([
      { type: "failed", failure: { kind, message: expect.stringMatching(words) } },
    ]);
  });

  it("answers in one piece, too", async () => {
    const { chat } = chatThatAnswers(async function* () {
      yield new Text("one ");
      yield new Text("piece");
      yield new ToolCall("c1", "Read", {});
    });
    const result = await vscodeLanguageModel(chat, classes).doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "x" }] }],
    });
    expect(result).toMatchObject({
      content: [
        { type: "text", text: "one piece" },
        { type: "tool-call", toolCallId: "c1" },
      ],
      finishReason: { unified: "tool-calls" },
    });
  });
});
