import { memo } from "react";
import type { HookView } from "../../src/protocol/hookView.ts";
import { formatString } from "../../src/protocol/strings.ts";
import { CutText } from "../shared/CutText.tsx";
import { visibleText } from "../shared/visibleText.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Icon } from "../ui/Icon.tsx";
import { LinkButton } from "../ui/LinkButton.tsx";
import { hookName } from "./rows.ts";
import { texts } from "./texts.ts";

export interface HookRowActions {
  edit(hook: HookView): void;
  askDelete(hook: HookView): void;
  openFile(place: { file: string; line: number; column: number }): void;
}

/** One hook. Everything from its file is shown as text, kept apart from the direction of the text around it. */
export const HookRow = memo(function HookRow(props: { hook: HookView; actions: HookRowActions }) {
  const { hook, actions } = props;
  const name = visibleText(hookName(hook));
  return (
    <article className="hook">
      <div className="hook-head">
        <h2 className="hook-event">
          <bdi>{visibleText(hook.event)}</bdi>
        </h2>
        <span className="hook-matcher">
          <span className="secondary">{texts.matcher}: </span>
          {hook.matcher ? (
            <bdi className="monospace data">{visibleText(hook.matcher)}</bdi>
          ) : (
            <span className="secondary">{texts.matchesAll}</span>
          )}
        </span>
        {hook.canChange && (
          <span className="hook-actions">
            <Button
              secondary
              name="edit"
              label={formatString(texts.editLabel, name)}
              onClick={() => actions.edit(hook)}
            >
              {texts.edit}
            </Button>
            <Button
              secondary
              name="delete"
              label={formatString(texts.deleteLabel, name)}
              onClick={() => actions.askDelete(hook)}
            >
              {texts.delete}
            </Button>
          </span>
        )}
      </div>
      <p className="secondary">{eventMeaning(hook)}</p>
      {hook.description && (
        <p>
          <CutText
            text={hook.description}
            className="data"
            maxLength={600}
            maxLines={4}
            showMore={texts.showAll}
            showLess={texts.showLess}
          />
        </p>
      )}
      <div className="hook-command">
        <span className="screen-reader-only">{texts.command}: </span>
        <CutText
          text={hook.command}
          className="monospace data"
          maxLength={400}
          maxLines={4}
          showMore={texts.showAll}
          showLess={texts.showLess}
        />
        {hook.commandCutBy !== undefined && (
          <p className="secondary">{formatString(texts.commandCut, hook.commandCutBy)}</p>
        )}
      </div>
      <HookFacts hook={hook} openFile={actions.openFile} />
      {hook.notRunning && (
        <p className="hook-note">
          <span className="level-warning">
            <Icon name="circle-slash" />
          </span>
          <span className="data">
            {texts.willNotRun}: {visibleText(hook.notRunning.text)}
          </span>
        </p>
      )}
      {hook.warnings.map((warning) => (
        <p key={warning} className="hook-note">
          <span className="level-warning">
            <Icon name="warning" />
          </span>
          <span className="data">
            {texts.warning}: {visibleText(warning)}
          </span>
        </p>
      ))}
    </article>
  );
});

/** Where it stands, whose it is, and how it runs. */
function HookFacts(props: { hook: HookView; openFile: HookRowActions["openFile"] }) {
  const { hook } = props;
  return (
    <div className="hook-facts secondary">
      <Badge>{hook.sourceLabel}</Badge>
      {hook.dialect === "copilot" && <Badge title={texts.copilotFormatHint}>{texts.copilotFormat}</Badge>}
      {hook.notFiredByCloudAgent && <Badge title={texts.notInCloudHint}>{texts.notInCloud}</Badge>}
      <span>
        <span className="screen-reader-only">{texts.file}: </span>
        <LinkButton
          name="file"
          title={formatString(texts.openFileAt, visibleText(hook.file), hook.line)}
          onClick={() => props.openFile(hook)}
        >
          <bdi>
            {visibleText(hook.fileLabel)}:{hook.line}
          </bdi>
        </LinkButton>
      </span>
      {hook.timeoutSeconds !== undefined && (
        <span>
          {texts.timeout}:{" "}
          {formatString(
            hook.timeoutIsDefault ? texts.timeoutDefault : texts.timeoutSeconds,
            hook.timeoutSeconds,
          )}
        </span>
      )}
      {hook.asyncRewake ? (
        <span title={texts.asyncRewakeHint}>{texts.asyncRewake}</span>
      ) : (
        hook.async && <span title={texts.asyncHint}>{texts.async}</span>
      )}
      {hook.willRun && (
        <span>
          <Icon name="check" /> {texts.willRun}
        </span>
      )}
    </div>
  );
}

function eventMeaning(hook: HookView): string {
  const meaning = hook.eventLabel ?? texts.unknownEvent;
  if (!hook.otherEventName) return meaning;
  return `${meaning} · ${formatString(texts.otherEventName, hook.otherEventName)}`;
}
