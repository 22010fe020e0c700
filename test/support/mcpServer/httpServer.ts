import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { makeServer } from "./tools.mjs";

export interface HttpMcpServer {
  url: string;
  /** Headers of the requests so far. */
  seen: IncomingHttpHeaders[];
  close(): Promise<void>;
}

/** The same server over streamable HTTP, on loopback. Requests without `authorization` are refused where `token` is given. */
export async function startHttpMcpServer(token?: string): Promise<HttpMcpServer> {
  const handler = createMcpHandler(makeServer);
  const seen: IncomingHttpHeaders[] = [];
  const http = createServer(async (request, response) => {
    seen.push(request.headers);
    if (token && request.headers.authorization !== `Bearer ${token}`) {
      response.writeHead(401).end();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method ?? "GET",
        headers: request.headers as Record<string, string>,
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
        signal: gone.signal,
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body)
      Readable.fromWeb(answer.body as never)
        .on("error", () => {})
        .pipe(response);
    else response.end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    seen,
    async close() {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
