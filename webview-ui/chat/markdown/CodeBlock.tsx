import { useEffect, useState } from "react";
import { formatString } from "../../../src/protocol/strings.ts";
import { IconButton } from "../../ui/Button.tsx";
import { texts } from "../texts.ts";

/** Code as text, with its language and a button that copies it as it is. */
export function CodeBlock(props: { code: string; language: string | undefined }) {
  const { code, language } = props;
  return (
    <div className="code-block">
      <div className="code-head secondary">
        <span>{language}</span>
        <CopyButton text={code} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
        tabIndex={0}
        role="group"
        aria-label={language ? formatString(texts.codeBlockLanguage, language) : texts.codeBlock}
      >
        <code>{code}</code>
      </pre>
    </div>
  );
}

function CopyButton(props: { text: string }) {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    navigator.clipboard.writeText(props.text).then(
      () => setOutcome("copied"),
      () => setOutcome("failed"),
    );
  };
  const label = { copied: texts.copied, failed: texts.copyFailed, none: texts.copy }[outcome ?? "none"];
  const icon = { copied: "check", failed: "error", none: "copy" }[outcome ?? "none"];
  return <IconButton icon={icon} label={label} onClick={copy} />;
}
