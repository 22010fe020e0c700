/** What one of our webview pages is made of. Addresses are those that the webview may load. */
export interface WebviewPage {
  title: string;
  /** BCP 47 language of the texts: a screen reader picks its voice by it. */
  language: string;
  cspSource: string;
  /** Fresh for each document, not guessable. */
  nonce: string;
  scriptUri: string;
  styleUris: readonly string[];
  /** The page's texts in the user's language. */
  strings: Readonly<Record<string, unknown>>;
}

/** The empty inline style that the toolkit creates to probe for :focus-visible; nothing else inline is allowed. */
const emptyStyleHash = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";

/** The document of a webview page: no network, no inline script, styles and fonts from the extension alone. */
export function webviewHtml(page: WebviewPage): string {
  const csp = [
    "default-src 'none'",
    `style-src ${page.cspSource} '${emptyStyleHash}'`,
    `font-src ${page.cspSource}`,
    `img-src ${page.cspSource} data:`,
    `script-src 'nonce-${page.nonce}'`,
  ].join("; ");
  const styles = page.styleUris.map((uri) => `<link rel="stylesheet" href="${escapeHtml(uri)}">`).join("\n");
  return `<!DOCTYPE html>
<html lang="${escapeHtml(page.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(csp)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)}</title>
${styles}
</head>
<body>
<div id="root"></div>
<script type="application/json" id="strings">${jsonForScript(page.strings)}</script>
<script nonce="${page.nonce}" src="${escapeHtml(page.scriptUri)}"></script>
</body>
</html>`;
}

/** JSON that cannot end the script element it stands in. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
