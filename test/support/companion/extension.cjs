// For tests only, never packaged: runs code of a test inside the extension host, and offers a language model
// whose answers the test has written down. Both over a socket named by WAVE_HOOKS_TEST_SOCKET.
const http = require("node:http");
const fs = require("node:fs");
const vscode = require("vscode");

const AsyncFunction = (async () => {}).constructor;

/**
 * Answers of the scripted model, first in first out. One answer is a list of parts:
 * { text } | { toolCall: { id, name, input } } | { error: message } | { waitMs }.
 */
const answers = [];
/** What the model was asked: [{ messages: [{ role, parts }], tools: [names] }]. */
const requests = [];

const scriptedModel = {
  provideLanguageModelChatInformation: () => [
    {
      id: "scripted-1",
      name: "Scripted One",
      family: "scripted",
      version: "1.0.0",
      maxInputTokens: 100_000,
      maxOutputTokens: 4_000,
      capabilities: { toolCalling: true },
    },
  ],
  async provideLanguageModelChatResponse(_model, messages, options, progress, token) {
    requests.push({
      messages: messages.map((message) => ({ role: message.role, parts: message.content.map(plainPart) })),
      tools: (options.tools ?? []).map((tool) => tool.name),
    });
    const answer = answers.shift() ?? [{ text: "The test has scripted no further answer." }];
    for (const part of answer) {
      if (token.isCancellationRequested) return;
      if (part.error !== undefined) throw new Error(part.error);
      if (part.waitMs !== undefined) await cancellableDelay(part.waitMs, token);
      if (part.text !== undefined) progress.report(new vscode.LanguageModelTextPart(part.text));
      if (part.toolCall !== undefined) {
        const { id, name, input } = part.toolCall;
        progress.report(new vscode.LanguageModelToolCallPart(id, name, input));
      }
    }
  },
  provideTokenCount: async (_model, text) =>
    Math.ceil((typeof text === "string" ? text : JSON.stringify(text)).length / 4),
};

function plainPart(part) {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { toolCall: { id: part.callId, name: part.name, input: part.input } };
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    return { toolResult: { id: part.callId, text: part.content.map((inner) => inner.value ?? "").join("") } };
  }
  return { text: part.value ?? "" };
}

function cancellableDelay(milliseconds, token) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    token.onCancellationRequested(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

exports.activate = async (context) => {
  context.subscriptions.push(vscode.lm.registerLanguageModelChatProvider("scripted", scriptedModel));
  await listen(process.env.WAVE_HOOKS_TEST_SOCKET);
  // A model that was never selected is not known to the editor's own chat.
  await vscode.lm.selectChatModels({ vendor: "scripted" });
};

async function listen(socket) {
  if (!socket) return;
  fs.rmSync(socket, { force: true });
  const model = { answers, requests };
  const server = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", async () => {
      try {
        const value = await new AsyncFunction("vscode", "require", "model", body)(vscode, require, model);
        response.end(JSON.stringify({ value: value ?? null }));
      } catch (error) {
        response.end(JSON.stringify({ error: String(error?.stack ?? error) }));
      }
    });
  });
  // Never closed: closing would remove the socket of the host that follows after a reload.
  await new Promise((resolve) => server.listen(socket, resolve));
}
