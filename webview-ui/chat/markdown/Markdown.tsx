import type { Token, Tokens } from "marked";
import { memo, useRef } from "react";
import { CodeBlock } from "./CodeBlock.tsx";
import { type LexedMarkdown, lexMarkdown, renderToken } from "./lexMarkdown.ts";
import { sanitize } from "./sanitize.ts";

/** Markdown of a model, safe to show. While it grows, only its last blocks are rendered again. */
export const Markdown = memo(function Markdown(props: { text: string }) {
  const lexed = useRef<{ source: string; result: LexedMarkdown }>(undefined);
  if (lexed.current?.source !== props.text) {
    lexed.current = { source: props.text, result: lexMarkdown(props.text, lexed.current?.result) };
  }
  const { blocks, definitions } = lexed.current.result;
  return (
    <div className="markdown" dir="auto">
      {blocks.map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a block's place is its identity, text is only added at the end
        <Block key={index} token={token} definitions={definitions} />
      ))}
    </div>
  );
});

const Block = memo(
  function Block(props: { token: Token; definitions: string }) {
    const { token } = props;
    if (token.type === "space") return null;
    if (isCode(token)) return <CodeBlock code={token.text} language={token.lang || undefined} />;
    const html = sanitize(renderToken(token));
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised in the line above
    return <div className="markdown-block" dangerouslySetInnerHTML={{ __html: html }} />;
  },
  (before, after) => before.token.raw === after.token.raw && before.definitions === after.definitions,
);

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}
