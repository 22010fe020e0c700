// A real MCP server's tools, well-behaved and not. Used over stdio and over HTTP.
import { spawn } from "node:child_process";
import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";

const text = (/** @type {string} */ value) => ({
  content: [{ type: /** @type {const} */ ("text"), text: value }],
});

export function makeServer() {
  const server = new McpServer({ name: "test", version: "1.0.0" });
  server.registerTool(
    "echo",
    {
      description: "Says it again",
      inputSchema: z.object({ text: z.string() }),
      annotations: { readOnlyHint: true },
    },
    async ({ text: said }) => text(`echo: ${said}`),
  );
  server.registerTool(
    "environment",
    { description: "Names of its variables", inputSchema: z.object({}) },
    async () => text(JSON.stringify(process.env)),
  );
  server.registerTool("fail", { description: "Fails politely", inputSchema: z.object({}) }, async () => ({
    ...text("no such record"),
    isError: true,
  }));
  server.registerTool("picture", { description: "A picture", inputSchema: z.object({}) }, async () => ({
    content: [{ type: "image", data: "AAAA", mimeType: "image/png" }],
  }));
  server.registerTool("long", { description: "A long text", inputSchema: z.object({}) }, async () =>
    text("x".repeat(150_000)),
  );
  server.registerTool("die", { description: "Ends the server", inputSchema: z.object({}) }, async () => {
    process.stderr.write("fatal: out of cheese\n", () => process.exit(3));
    return new Promise(() => {});
  });
  server.registerTool(
    "hang",
    { description: "Never answers", inputSchema: z.object({}) },
    () => new Promise(() => {}),
  );
  server.registerTool("flood", { description: "Answers with 50 MB", inputSchema: z.object({}) }, async () =>
    text("f".repeat(50 * 1024 * 1024)),
  );
  server.registerTool("children", { description: "Starts two", inputSchema: z.object({}) }, async () => {
    for (let i = 0; i < 2; i++)
      spawn("/bin/sh", ["-c", "trap '' TERM; sleep 300 & wait"], { stdio: "ignore" });
    return text("started");
  });
  server.registerTool("grow", { description: "Adds a tool", inputSchema: z.object({}) }, async () => {
    server.registerTool("added", { description: "New", inputSchema: z.object({}) }, async () =>
      text("added"),
    );
    return text("grown");
  });
  return server;
}
