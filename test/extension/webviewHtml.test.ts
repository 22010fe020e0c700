import { describe, expect, it } from "vitest";
import { webviewHtml } from "../../src/extension/webviewHtml.ts";

const page = {
  title: 'Hooks "<b>"',
  language: "zh-cn",
  cspSource: "https://*.vscode-cdn.net",
  nonce: "abc+/=",
  scriptUri: "https://host/dist/settings.js?a=1&b=2",
  styleUris: ["https://host/dist/codicon.css"],
  strings: { evil: "</script><script>alert(1)</script>\u2028", plain: "ok" },
};

describe("the document of a webview", () => {
  const html = webviewHtml(page);

  it("allows no network, no inline script and no inline style", () => {
    const csp = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1];
    expect(csp).toBe(
      "default-src 'none'; " +
        "style-src https://*.vscode-cdn.net 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; " +
        "font-src https://*.vscode-cdn.net; img-src https://*.vscode-cdn.net data:; script-src 'nonce-abc+/='",
    );
  });

  it("carries the texts as data that cannot end their element", () => {
    const json = /<script type="application\/json" id="strings">(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    expect(json).not.toContain("<");
    expect(json).not.toContain("\u2028");
    expect(JSON.parse(json)).toEqual(page.strings);
  });

  it("says its language and escapes its title", () => {
    expect(html).toContain('<html lang="zh-cn">');
    expect(html).toContain("<title>Hooks &quot;&lt;b&gt;&quot;</title>");
  });
});
