import type { ToolCardView } from "../../../src/protocol/chatView.ts";
import { formatString } from "../../../src/protocol/strings.ts";
import { CutText } from "../../shared/CutText.tsx";
import { visibleText } from "../../shared/visibleText.ts";
import { Icon } from "../../ui/Icon.tsx";
import { LinkButton } from "../../ui/LinkButton.tsx";
import type { ChatActions } from "../chatActions.ts";
import { useExpanded } from "../expansion.tsx";
import { texts } from "../texts.ts";
import { DiffView } from "./DiffView.tsx";

const stateIcons: Record<ToolCardView["state"], string> = {
  running: "loading",
  done: "check",
  failed: "error",
};

/** A tool call in one line; its diff below, its result on demand. */
export function ToolCard(props: { tool: ToolCardView; actions: ChatActions }) {
  const { tool, actions } = props;
  const [expanded, setExpanded] = useExpanded(`tool:${tool.id}`, false);
  const state = { running: texts.toolRunning, done: texts.toolDone, failed: texts.toolFailed }[tool.state];
  return (
    <div className={`tool-card ${tool.state}`}>
      <button
        type="button"
        className="tool-head"
        aria-expanded={expanded}
        title={visibleText(tool.summary)}
        onClick={() => setExpanded(!expanded)}
      >
        <Icon name={expanded ? "chevron-down" : "chevron-right"} />
        <span className={tool.state === "failed" ? "level-error" : "secondary"}>
          <Icon name={stateIcons[tool.state]} spin={tool.state === "running"} />
        </span>
        <span className="tool-name">{visibleText(tool.name)}</span>
        <bdi className="tool-summary monospace">{visibleText(tool.summary)}</bdi>
        <span className="screen-reader-only">{state}</span>
      </button>
      {tool.state === "failed" && !expanded && tool.error && (
        <p className="tool-error data">{visibleText(tool.error.split("\n", 1)[0] ?? "")}</p>
      )}
      {tool.diff && <DiffView diff={tool.diff} id={tool.id} />}
      {(tool.diff || (expanded && tool.file)) && (
        <p className="tool-links">
          {tool.diff && (
            <LinkButton onClick={() => actions.post({ type: "openDiff", toolId: tool.id })}>
              {texts.openDiff}
            </LinkButton>
          )}
          {tool.file && <FileLink file={tool.file} actions={actions} />}
        </p>
      )}
      {expanded && <ToolDetails tool={tool} />}
    </div>
  );
}

function FileLink(props: { file: string; actions: ChatActions }) {
  const name = props.file.split(/[\\/]/).at(-1) ?? props.file;
  return (
    <LinkButton
      title={visibleText(props.file)}
      onClick={() => props.actions.post({ type: "openFile", file: props.file })}
    >
      <bdi>{formatString(texts.openFile, visibleText(name))}</bdi>
    </LinkButton>
  );
}

function ToolDetails(props: { tool: ToolCardView }) {
  const { tool } = props;
  return (
    <dl className="tool-details">
      <Detail name={texts.toolInput} text={tool.summary} />
      {tool.error && <Detail name={texts.toolError} text={tool.error} />}
      {tool.state !== "running" && (tool.result || !tool.error) && (
        <Detail name={texts.toolResult} text={tool.result || texts.noResult} />
      )}
    </dl>
  );
}

function Detail(props: { name: string; text: string }) {
  return (
    <div>
      <dt className="secondary">{props.name}</dt>
      <dd>
        <CutText
          className="monospace data"
          text={props.text}
          maxLength={4000}
          maxLines={40}
          showMore={texts.showMore}
          showLess={texts.showLess}
        />
      </dd>
    </div>
  );
}
