import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createHttpHookClient } from "../../src/agent/httpHookClient.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => answer(request, response, body));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const allowed = createHttpHookClient({ allowLoopback: () => true });
const request = { headers: {}, variables: {}, body: "{}", timeoutMs: 5000 };

describe("hooks over HTTP", () => {
  it("posts the payload and gives the answer back", async () => {
    const url = await listen((incoming, response, body) => {
      response.end(
        JSON.stringify({
          method: incoming.method,
          type: incoming.headers["content-type"],
          key: incoming.headers["x-key"],
          body,
        }),
      );
    });
    const outcome = await allowed.post({
      ...request,
      url,
      headers: { "X-Key": "plain" },
      body: '{"a":"語"}',
    });
    expect(outcome).toEqual({
      kind: "answered",
      body: JSON.stringify({ method: "POST", type: "application/json", key: "plain", body: '{"a":"語"}' }),
    });
  });

  it("refuses http unless it is to this machine and allowed, and other protocols", async () => {
    const url = await listen((_incoming, response) => response.end("{}"));
    const strict = createHttpHookClient({ allowLoopback: () => false });
    expect(await strict.post({ ...request, url })).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("COPILOT_HOOK_ALLOW_LOCALHOST"),
    });
    expect(await allowed.post({ ...request, url: "http://example.invalid/" })).toMatchObject({
      reason: expect.stringContaining("use https"),
    });
    expect(await allowed.post({ ...request, url: "file:///etc/passwd" })).toMatchObject({
      reason: expect.stringContaining("no https address"),
    });
    expect(await allowed.post({ ...request, url: "http://127.0.0.1.example.invalid/" })).toMatchObject({
      kind: "failed",
    });
  });

  it("keeps environment variables off plain http", async () => {
    const url = await listen((_incoming, response) => response.end("{}"));
    const outcome = await allowed.post({
      ...request,
      url,
      headers: { Authorization: "Bearer $TOKEN" },
      variables: { TOKEN: "secret" },
    });
    expect(outcome).toMatchObject({ kind: "failed", reason: expect.stringContaining("need https") });
  });

  it("follows no redirect, also to the same host", async () => {
    let asked = 0;
    const url = await listen((_incoming, response) => {
      asked += 1;
      response.writeHead(307, { location: "/hook" }).end();
    });
    expect(await allowed.post({ ...request, url })).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("redirect"),
    });
    expect(asked).toBe(1);
  });

  it("bounds the answer and the time, and can be interrupted", async () => {
    const large = await listen((_incoming, response) => response.end(Buffer.alloc(2 * 1024 * 1024, "x")));
    expect(await allowed.post({ ...request, url: large })).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("larger"),
    });
    const silent = await listen(() => {});
    expect(await allowed.post({ ...request, url: silent, timeoutMs: 50 })).toEqual({ kind: "timeout" });
    const controller = new AbortController();
    const waiting = await listen(() => controller.abort());
    expect(await allowed.post({ ...request, url: waiting, signal: controller.signal })).toEqual({
      kind: "aborted",
    });
  });

  it("reports other statuses and dead addresses in words", async () => {
    const broken = await listen((_incoming, response) => response.writeHead(500).end("no"));
    expect(await allowed.post({ ...request, url: broken })).toEqual({
      kind: "failed",
      reason: "it answered with status 500",
    });
    expect(await allowed.post({ ...request, url: "http://127.0.0.1:1/" })).toMatchObject({
      kind: "failed",
      reason: expect.stringMatching(/ECONNREFUSED|bad port/),
    });
  });
});
