import { Marked, type Token } from "marked";
import { formatString } from "../../../src/protocol/strings.ts";
import { texts } from "../texts.ts";
import { escapeHtml } from "./escapeHtml.ts";

/** A text cut into its top-level blocks, each of which is rendered, and kept, by itself. */
export interface LexedMarkdown {
  text: string;
  blocks: readonly Token[];
  /** Link definitions, which any block may refer to; part of what a block's rendering depends on. */
  definitions: string;
}

const marked = new Marked({ gfm: true, breaks: true });
marked.use({
  renderer: {
    // Tags are shown, not interpreted: what a model writes is text.
    html: ({ text }) => escapeHtml(text),
    // Nothing is loaded from anywhere.
    image: ({ text, href }) => `<em>${escapeHtml(formatString(texts.imageOmitted, text || href))}</em>`,
    link({ href, tokens, title }) {
      const inner = this.parser.parseInline(tokens);
      if (!/^https?:\/\//i.test(href)) return inner;
      const hint = title ? `${title} (${href})` : href;
      return `<a href="${escapeHtml(href)}" title="${escapeHtml(hint)}">${inner}</a>`;
    },
    // One level for all: they stand under the heading of their message, and models skip levels at will.
    heading({ tokens, depth }) {
      return `<h3 class="heading-${depth}">${this.parser.parseInline(tokens)}</h3>`;
    },
    checkbox: ({ checked }) => (checked ? "☑ " : "☐ "),
  },
});

/**
 * Cuts a text into blocks. While a message streams, `previous` saves most of the work: of a text that only grew, all but
 * the last blocks are as they were (a list or a paragraph may still go on, so three are read again).
 */
export function lexMarkdown(source: string, previous?: LexedMarkdown): LexedMarkdown {
  const text = source.replace(/\r\n?/g, "\n");
  if (previous && previous.definitions === "" && text.startsWith(previous.text)) {
    const kept = settledBlocks(previous.blocks);
    const keptLength = kept.reduce((length, { raw }) => length + raw.length, 0);
    const tail = lexWhole(text.slice(keptLength));
    if (tail.definitions === "") return { text, blocks: [...kept, ...tail.blocks], definitions: "" };
  }
  return { text, ...lexWhole(text) };
}

export function renderToken(token: Token): string {
  return marked.parser([token]);
}

function lexWhole(text: string) {
  const tokens = marked.lexer(text);
  const definitions = Object.keys(tokens.links).length > 0 ? JSON.stringify(tokens.links) : "";
  return { blocks: [...tokens], definitions };
}

function settledBlocks(blocks: readonly Token[]): readonly Token[] {
  let open = 0;
  for (let index = blocks.length - 1; index >= 0; index--) {
    if (blocks[index]?.type !== "space") open++;
    if (open === 3) return blocks.slice(0, index);
  }
  return [];
}
