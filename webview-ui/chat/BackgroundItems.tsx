import type { BackgroundItemView } from "../../src/protocol/chatView.ts";
import { formatString } from "../../src/protocol/strings.ts";
import { visibleText } from "../shared/visibleText.ts";
import { IconButton } from "../ui/Button.tsx";
import type { ChatActions } from "./chatActions.ts";
import { texts } from "./texts.ts";

/** What goes on beside the turn: commands, subagents and workflows to be stopped, schedules to be deleted. */
export function BackgroundItems(props: { items: readonly BackgroundItemView[]; actions: ChatActions }) {
  const { items, actions } = props;
  if (items.length === 0) return null;
  const kinds: Record<BackgroundItemView["kind"], string> = {
    shell: texts.kindShell,
    subagent: texts.kindSubagent,
    workflow: texts.kindWorkflow,
    cron: texts.kindCron,
  };
  return (
    <details className="background">
      <summary>
        {items.length === 1 ? texts.backgroundOne : formatString(texts.backgroundMany, items.length)}
      </summary>
      <ul>
        {items.map((item) => {
          const label = visibleText(item.label);
          return (
            <li key={item.id}>
              <span className="background-text">
                <span className="secondary">{kinds[item.kind]}: </span>
                <bdi className="monospace">{label}</bdi>
                {item.detail && <span className="secondary data"> {visibleText(item.detail)}</span>}
              </span>
              <IconButton
                icon={item.kind === "cron" ? "trash" : "debug-stop"}
                label={formatString(item.kind === "cron" ? texts.deleteItem : texts.stopItem, label)}
                onClick={() => actions.post({ type: "stopBackground", id: item.id })}
              />
            </li>
          );
        })}
      </ul>
    </details>
  );
}
