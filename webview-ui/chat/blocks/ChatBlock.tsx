import { memo } from "react";
import { pageLanguage } from "../../shared/strings.ts";
import type { ChatActions } from "../chatActions.ts";
import { type ChatItem, isSameItem } from "../items.ts";
import { Markdown } from "../markdown/Markdown.tsx";
import { texts } from "../texts.ts";
import { ToolCard } from "./ToolCard.tsx";
import { Foldable, Notice, UserText } from "./textBlocks.tsx";

interface ChatBlockProps {
  item: ChatItem;
  actions: ChatActions;
}

const timeFormat = new Intl.DateTimeFormat(pageLanguage(), { dateStyle: "medium", timeStyle: "short" });

/** One entry of the conversation. */
export const ChatBlock = memo(
  function ChatBlock(props: ChatBlockProps) {
    const { item } = props;
    const isUser = item.role === "user";
    return (
      <div className={`item ${item.role}${item.isFirst ? " first" : ""}`}>
        {item.isFirst && <h2 className="screen-reader-only">{isUser ? texts.you : texts.assistant}</h2>}
        <div title={isUser ? timeFormat.format(item.timestamp) : undefined}>
          <BlockContent {...props} />
        </div>
      </div>
    );
  },
  (before, after) => isSameItem(before.item, after.item) && before.actions === after.actions,
);

function BlockContent(props: ChatBlockProps) {
  const { item } = props;
  const { block } = item;
  switch (block.type) {
    case "text":
      return item.role === "user" ? <UserText text={block.content} /> : <Markdown text={block.content} />;
    case "tool":
      return <ToolCard tool={block.tool} actions={props.actions} />;
    case "notice":
      return <Notice level={block.level} text={block.content} />;
    case "compact":
      return (
        <Foldable id={item.key} icon="fold" title={texts.compacted} action={texts.showSummary}>
          {block.content.trim() !== "" && <Markdown text={block.content} />}
        </Foldable>
      );
    case "taskNotification":
      return (
        <Foldable
          id={item.key}
          icon="bell"
          title={`${texts.taskNotification}: ${block.title}`}
          action={texts.showMore}
        >
          {block.content.trim() !== "" && <UserText text={block.content} />}
        </Foldable>
      );
  }
}
