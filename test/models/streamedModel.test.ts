import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import type { LanguageModelV3 } from "@ai-sdk/provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { convertMessagesForAPI } from "../../src/agent/messages/convertMessagesForAPI.ts";
import { userMessage } from "../../src/agent/messages/message.ts";
import type { Model, ModelEvent, ModelRequest } from "../../src/agent/models/model.ts";
import { type ModelOptions, resolveModel } from "../../src/agent/models/resolveModel.ts";
import { startModelService } from "../support/modelService.ts";

const quick = { baseDelayMs: 1, longestDelayMs: 5 };

async function ask(model: Model, request: Partial<ModelRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  const prompt = convertMessagesForAPI([userMessage("hello")]);
  for await (const event of model.stream({ prompt, signal: new AbortController().signal, ...request })) {
    events.push(event);
  }
  return events;
}

function text(events: readonly ModelEvent[]): string {
  return events.map((event) => (event.type === "text" ? event.delta : "")).join("");
}

function modelAt(baseURL: string, options: ModelOptions = {}): Model {
  return resolveModel({ baseURL, model: "gpt-5", apiKey: "sk-very-secret-key", retry: quick, ...options }, {})
    .model;
}

async function rawServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const tools = [
  {
    name: "Bash",
    description: "Runs a command.",
    inputSchema: { type: "object" as const, properties: { command: { type: "string" as const } } },
  },
];

describe.each(["openai", "anthropic"] as const)("a model behind %s", (provider) => {
  it("streams text, calls and usage", async () => {
    const service = await startModelService([
      {
        text: "Let me look.",
        toolCalls: [{ name: "Bash", arguments: { command: "ls" }, id: "call_1" }],
        usage: { input: 321, output: 12 },
      },
    ]);
    const events = await ask(modelAt(service.baseURL, { provider }), { system: "Be brief.", tools });
    expect(text(events)).toBe("Let me look.");
    expect(events).toContainEqual({ type: "toolCall", id: "call_1", name: "Bash", input: { command: "ls" } });
    expect(events.at(-1)).toMatchObject({ type: "finish", reason: "toolCalls", usage: { output: 12 } });
    if (provider === "openai") expect(events.at(-1)).toMatchObject({ usage: { input: 321 } });
    const body = service.requests[0];
    expect(body?.messages[0]).toMatchObject({ role: "system", content: "Be brief." });
    expect(body?.tools?.map((tool) => tool.function.name)).toEqual(["Bash"]);
    expect(body?.model).toBe("gpt-5");
  });

  it("sends the key as the service wants it", async () => {
    let headers: IncomingHttpHeaders = {};
    const baseURL = await rawServer((request, response) => {
      headers = request.headers;
      response.writeHead(400).end("{}");
    });
    await ask(modelAt(baseURL, { provider }));
    const key = provider === "openai" ? headers.authorization : headers["x-api-key"];
    expect(key).toBe(provider === "openai" ? "Bearer sk-very-secret-key" : "sk-very-secret-key");
  });
});

describe("failures are events, in words, without the key", () => {
  it.each([
    [
      401,
      "Incorrect API key provided: sk-very-secret-key",
      "credentials",
      /refused the API key .*Set API Key/,
    ],
    [
      404,
      "The model does not exist",
      "notFound",
      /model "gpt-5" or the address http:.* does not exist .*base URL/,
    ],
    [400, "This model's maximum context length is 8192 tokens", "contextOverflow", /no longer fits/],
    [413, "prompt is too long: 210000 tokens > 200000 maximum", "contextOverflow", /no longer fits/],
    [400, "bad field", "badRequest", /refused the request .*bad field/],
    [402, "pay first", "rateLimit", /plan and balance/],
  ])("HTTP %d %s", async (status, message, kind, words) => {
    const service = await startModelService([{ error: { status, message } }]);
    const events = await ask(modelAt(service.baseURL));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: "failed",
      failure: { kind, message: expect.stringMatching(words) },
    });
    expect(
      JSON.stringify(events) + String(events[0]?.type === "failed" && events[0].failure.cause.stack),
    ).not.toContain("sk-very-secret-key");
    expect(service.requests).toHaveLength(1);
  });

  it("429 and 5xx are tried again, visibly, and what came before is void", async () => {
    const service = await startModelService([
      { error: { status: 429, message: "slow down", retryAfter: 0 } },
      { error: { status: 503, message: "overloaded" } },
      { text: "Here." },
    ]);
    const events = await ask(modelAt(service.baseURL));
    expect(events.filter((event) => event.type === "retry")).toEqual([
      { type: "retry", attempt: 1, delayMs: expect.any(Number), reason: expect.stringContaining("429") },
      { type: "retry", attempt: 2, delayMs: expect.any(Number), reason: expect.stringContaining("503") },
    ]);
    expect(text(events)).toBe("Here.");
    expect(events.at(-1)?.type).toBe("finish");
  });

  it("gives up after the limit, and never waits longer than a person would", async () => {
    const service = await startModelService([{ error: { status: 500, message: "broken" } }]);
    const events = await ask(modelAt(service.baseURL, { retry: { ...quick, limit: 2 } }));
    expect(events.map((event) => event.type)).toEqual(["retry", "retry", "failed"]);
    service.script([{ error: { status: 429, message: "later", retryAfter: 3600 } }]);
    expect((await ask(modelAt(service.baseURL))).map((event) => event.type)).toEqual(["failed"]);
  });

  it("honours Retry-After", async () => {
    const service = await startModelService([
      { error: { status: 429, message: "wait", retryAfter: 1 } },
      { text: "Now." },
    ]);
    const events = await ask(modelAt(service.baseURL));
    expect(events[0]).toMatchObject({ type: "retry", delayMs: 1000 });
    expect(text(events)).toBe("Now.");
  });

  it("nothing listens there", async () => {
    const service = await startModelService();
    await service.stop();
    const events = await ask(modelAt(service.baseURL, { retry: { ...quick, unreachableLimit: 1 } }));
    expect(events.map((event) => event.type)).toEqual(["retry", "failed"]);
    expect(events.at(-1)).toMatchObject({
      failure: { kind: "unreachable", message: /Nothing answers .*ECONNREFUSED/ },
    });
  });

  it("a connection that is cut in the middle is tried again", async () => {
    let requests = 0;
    const chunk = (delta: object, finish: string | null = null): string =>
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const baseURL = await rawServer((_, response) => {
      requests++;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk({ role: "assistant", content: "half" }));
      if (requests === 1) setTimeout(() => response.destroy(), 20);
      else response.end(`${chunk({ content: " whole" })}${chunk({}, "stop")}data: [DONE]\n\n`);
    });
    const events = await ask(modelAt(baseURL));
    expect(events.map((event) => event.type)).toEqual(["text", "retry", "text", "text", "finish"]);
    expect(events[1]).toMatchObject({ reason: expect.stringMatching(/broke off/) });
  });

  it("what is no model service is said to be none", async () => {
    const baseURL = await rawServer((_, response) => response.end("<html>hello</html>"));
    const events = await ask(modelAt(baseURL, { retry: { ...quick, limit: 1 } }));
    expect(events.at(-1)).toMatchObject({ type: "failed", failure: { message: /./ } });
  });

  it("a silent service counts as broken", async () => {
    const baseURL = await rawServer(() => {});
    const events = await ask(modelAt(baseURL, { retry: { ...quick, limit: 1, stallMs: 50 } }));
    expect(events.map((event) => event.type)).toEqual(["retry", "failed"]);
  });

  it.each([
    [{}, /No model is set.*WAVE_MODEL/],
    [{ model: "m" }, /No model service is set.*WAVE_BASE_URL/],
    [{ model: "m", baseURL: "not a url" }, /not a web address/],
  ])("says what is missing of %j", async (options, words) => {
    const { model } = resolveModel(options, {});
    expect(await ask(model)).toEqual([
      {
        type: "failed",
        failure: { kind: "notFound", message: expect.stringMatching(words), cause: expect.any(Error) },
      },
    ]);
  });
});

describe("an interruption", () => {
  it("ends the call at once, while it streams and while it waits", async () => {
    const service = await startModelService([{ text: "x".repeat(400), latencyMs: 30 }]);
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    const prompt = convertMessagesForAPI([userMessage("hello")]);
    for await (const event of modelAt(service.baseURL).stream({ prompt, signal: controller.signal })) {
      events.push(event);
      controller.abort();
    }
    expect(events.at(-1)).toEqual({ type: "aborted" });
    expect(events.filter((event) => event.type === "aborted")).toHaveLength(1);

    service.script([{ error: { status: 503, message: "later" } }]);
    const waiting = new AbortController();
    const types: string[] = [];
    const model = modelAt(service.baseURL, { retry: { baseDelayMs: 60_000, longestDelayMs: 60_000 } });
    for await (const event of model.stream({ prompt, signal: waiting.signal })) {
      types.push(event.type);
      if (event.type === "retry") waiting.abort();
    }
    expect(types).toEqual(["retry", "aborted"]);
  });

  it("does not wait for a model object that ignores its signal", async () => {
    const languageModel: LanguageModelV3 = {
      specificationVersion: "v3",
      provider: "test",
      modelId: "deaf",
      supportedUrls: {},
      doGenerate: () => new Promise(() => {}),
      doStream: () => new Promise(() => {}),
    };
    const controller = new AbortController();
    const asked = ask(resolveModel({ languageModel }, {}).model, { signal: controller.signal });
    controller.abort();
    expect(await asked).toEqual([{ type: "aborted" }]);
  });
});

describe("what a model may send", () => {
  it("arguments that are no JSON object come as text, with the reason", async () => {
    const service = await startModelService([
      {
        toolCalls: [
          { name: "Bash", arguments: '{"command": "ls' },
          { name: "Bash", arguments: "[1]" },
          { name: "Bash", arguments: "" },
        ],
      },
    ]);
    const calls = (await ask(modelAt(service.baseURL), { tools })).filter(
      (event) => event.type === "toolCall",
    );
    expect(calls).toMatchObject([
      { input: '{"command": "ls', unreadable: expect.stringMatching(/./) },
      { input: "[1]", unreadable: "not a JSON object" },
      { input: {} },
    ]);
  });

  it("an answer that was cut at the limit says so", async () => {
    const service = await startModelService([{ text: "and then", finishReason: "length" }]);
    expect((await ask(modelAt(service.baseURL))).at(-1)).toMatchObject({ type: "finish", reason: "length" });
  });
});

describe("where the model comes from", () => {
  it("options win over the environment; every value in use as a key is named", async () => {
    const service = await startModelService();
    const env = {
      WAVE_API_KEY: "key-from-env",
      WAVE_BASE_URL: `${service.baseURL}/chat/completions/`,
      WAVE_MODEL: "from-env",
    };
    const fromEnv = resolveModel({}, env);
    expect(fromEnv.model.id).toBe("from-env");
    expect(fromEnv.credentials).toEqual(["key-from-env"]);
    await ask(fromEnv.model);
    expect(service.requests[0]?.model).toBe("from-env");
    const both = resolveModel({ apiKey: "key-from-option", model: "claude-sonnet-5" }, env);
    expect(both.credentials).toEqual(["key-from-option", "key-from-env"]);
    expect(both.model.contextWindow).toBe(200_000);
    expect(resolveModel({ model: "x/unknown", contextWindow: 5000 }, env).model.contextWindow).toBe(5000);
    expect(resolveModel({ model: "unknown" }, env).model.contextWindow).toBe(128_000);
  });
});
