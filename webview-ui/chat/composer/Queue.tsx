import { cutAt } from "../../shared/CutText.tsx";
import { visibleText } from "../../shared/visibleText.ts";
import { IconButton } from "../../ui/Button.tsx";
import { Icon } from "../../ui/Icon.tsx";
import type { ChatActions } from "../chatActions.ts";
import { texts } from "../texts.ts";

/** Messages that wait for the turn to end; each can be taken back. */
export function Queue(props: { queue: readonly { id: string; text: string }[]; actions: ChatActions }) {
  if (props.queue.length === 0) return null;
  return (
    <ul className="queue" aria-label={texts.queueLabel}>
      {props.queue.map(({ id, text }) => (
        <li key={id}>
          <Icon name="history" />
          <bdi className="queue-text" title={visibleText(cutAt(text, 1000, 20))}>
            {visibleText(cutAt(text, 200, 1))}
          </bdi>
          <IconButton
            icon="close"
            label={`${texts.unqueue}: ${visibleText(cutAt(text, 60, 1))}`}
            onClick={() => props.actions.post({ type: "unqueue", id })}
          />
        </li>
      ))}
    </ul>
  );
}
