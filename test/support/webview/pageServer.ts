import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { webviewHtml } from "../../../src/extension/webviewHtml.ts";
import { readTheme, type ThemeName, themeCss } from "./themes.ts";

export type PageName = "settings" | "chat";

interface PageServer {
  origin: string;
  address(page: PageName, options: PageOptions): string;
  close(): Promise<void>;
}

export interface PageOptions {
  theme: ThemeName;
  /** Texts as the host would send them; English where absent. */
  strings?: Record<string, string>;
  language?: string;
}

// Tests and benches run in the project's root; a bundled bench has no folder of its own.
const dist = path.resolve(process.env.WAVE_HOOKS_DIST ?? "dist");
const support = path.resolve("test/support/webview");
const contentTypes: Record<string, string> = {
  ".css": "text/css",
  ".js": "text/javascript",
  ".ttf": "font/ttf",
};

/** Serves the built pages as the extension's host does: the same document, the same content security policy. */
export async function startPageServer(): Promise<PageServer> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const name = url.pathname.slice(1);
    try {
      if (name === "settings" || name === "chat") {
        response.setHeader("content-type", "text/html; charset=utf-8");
        response.end(html(name, url.searchParams, origin()));
      } else if (name === "favicon.ico") {
        response.statusCode = 204;
        response.end();
      } else if (name === "theme.css") {
        const surface = url.searchParams.get("page") === "chat" ? "sideBar" : "editor";
        response.setHeader("content-type", "text/css");
        response.end(themeCss(url.searchParams.get("theme") as ThemeName, surface));
      } else {
        const file = name === "vscodeDefault.css" ? path.join(support, name) : path.join(dist, name);
        const content = readFileSync(file);
        response.setHeader("content-type", contentTypes[path.extname(file)] ?? "application/octet-stream");
        response.end(content);
      }
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: origin(),
    address: (page, options) => {
      const query = new URLSearchParams({ theme: options.theme, language: options.language ?? "en" });
      if (options.strings) query.set("strings", JSON.stringify(options.strings));
      return `${origin()}/${page}?${query}`;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function html(page: PageName, query: URLSearchParams, origin: string): string {
  const theme = query.get("theme") as ThemeName;
  return webviewHtml({
    title: "Wave Hooks",
    language: query.get("language") ?? "en",
    cspSource: origin,
    nonce: "testnonce",
    scriptUri: `/${page}.js`,
    styleUris: [
      `/theme.css?theme=${theme}&page=${page}`,
      "/vscodeDefault.css",
      "/codicon.css",
      `/${page}.css`,
    ],
    strings: JSON.parse(query.get("strings") ?? "{}"),
  }).replace("<body>", `<body class="${readTheme(theme).bodyClass}">`);
}
