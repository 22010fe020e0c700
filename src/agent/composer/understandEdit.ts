import type { HookAim, HookRequest, HookWish, MissingPart } from "./hookWish.ts";
import { commandOfAnswer } from "./readCommand.ts";
import { readDuration } from "./readDuration.ts";
import { readEvent, readTools } from "./readEventAndTools.ts";
import { readFlags } from "./readFlags.ts";
import type { Placeholder } from "./readTarget.ts";

const editPrompt =
  /\bedit (?:this|the|that|my)\b[^.,;]{0,20}\bhooks?\b(?: for me)?|(?:帮我)?编辑(?:这个|该|一下)?钩子/i;
const editWords =
  /\b(?:change|modify|update|adjust|alter)\b[^.\n]{0,40}\bhooks?\b|(?:修改|更改|改一下|调整)[^，。；,]{0,8}钩子/i;

export function isEditRequest(text: string): boolean {
  return editPrompt.test(text) || editWords.test(text);
}

const fieldNames = {
  event: "event|事件",
  matcher: "matchers?|tools?|matching|匹配器|匹配工具|匹配|工具",
  command: "command|script|命令|脚本",
  timeout: "time-?out|time limit|超时时间|超时",
  description: "description|说明|描述",
} as const;
type FieldName = keyof typeof fieldNames;
const anyField = Object.values(fieldNames).join("|");

const english = new RegExp(
  String.raw`\b(?:(?:change|set|make|switch|update|edit|move)\s+)?(?:the |its |this |that )?\b(${anyField})\b(?:\s+of\s+(?:my|this|the|that)\s+hooks?)?(?:\s+from\s+\S+)?\s*(?:to|=|:|->|→|into|be|should be|becomes)\s*`,
  "gi",
);
const chinese = new RegExp(
  String.raw`(?:把|将)?\s*(?:它的|其)?(${anyField})\s*(?:从[^，。；]{1,40}?)?(?:改成|改为|换成|换为|设成|设为|设置为|调到|调成|调整为|变成|变为|更新为|->|→|：|:)\s*`,
  "gi",
);
const removal = new RegExp(
  String.raw`(?:\b(?:remove|drop|delete|clear)\s+(?:the |its )?|(?:去掉|删除|删掉|取消|移除)(?:它的|其)?)(${anyField})`,
  "i",
);

/** Reads an edit prompt: first the changes, then the lines that name the hook and its file. */
export function understandEdit(text: string, unfilled: ReadonlySet<Placeholder>): HookRequest {
  const { aim, changes } = splitAim(text);
  const wish = readChanges(changes.replace(editPrompt, " "));
  const missing: MissingPart[] = [];
  if (Object.keys(wish).length === 0 || unfilled.has("value")) missing.push("change");
  if (!aim.file) missing.push("file");
  return { kind: "edit", aim, wish, missing };
}

/** Reads what is to change: `timeout to 30 s`, `把命令改成 npm test`, `make it async`, `去掉超时`. */
export function readChanges(text: string): HookWish {
  const wish: HookWish = {};
  const marks = [...text.matchAll(english), ...text.matchAll(chinese)].sort((a, b) => a.index - b.index);
  for (const [index, mark] of marks.entries()) {
    const start = mark.index + mark[0].length;
    const next = marks[index + 1]?.index ?? text.length;
    const field = fieldOf(mark[1] ?? "");
    if (field && start <= next) Object.assign(wish, readValue(field, text.slice(start, next)));
  }
  const outside = marks.length > 0 ? withoutCommand(text, wish.command) : text;
  const removed = fieldOf(removal.exec(outside)?.[1] ?? "");
  if (removed === "timeout") wish.timeoutSeconds = null;
  if (removed === "matcher") wish.matcher = null;
  const flags = readFlags(outside);
  return { ...wish, ...flags };
}

function fieldOf(name: string): FieldName | undefined {
  const entry = Object.entries(fieldNames).find(([, names]) => new RegExp(`^(?:${names})$`, "i").test(name));
  return entry?.[0] as FieldName | undefined;
}

function readValue(field: FieldName, raw: string): HookWish {
  const value = raw
    .trim()
    .replace(
      /(?:\s*(?:[,，;；。]|\band\b|并且?|同时|且))+\s*(?:(?:change|set|make|its?|the|把|将)\s*)*$/i,
      "",
    )
    .trim();
  switch (field) {
    case "event": {
      const event = readEvent(value);
      return event ? { event } : {};
    }
    case "matcher": {
      const plain = /^[`"'“]?([\w*|.^$()\\-]+(?:\|[\w*|.^$()\\-]+)*)[`"'”]?(?=$|[\s,，。])/.exec(value)?.[1];
      const tools = readTools(value);
      if (tools !== undefined) return { matcher: tools };
      return plain ? { matcher: plain === "*" ? null : plain } : {};
    }
    case "command": {
      const fence =
        /^`([^`\n]+)`/.exec(value) ??
        /^"([^"\n]+)"(?=\s*(?:$|[,，。;]))/.exec(value) ??
        /^“([^”\n]+)”/.exec(value) ??
        /^「([^」\n]+)」/.exec(value);
      const command =
        fence?.[1] ??
        commandOfAnswer(
          value.split(/[，。；\n]|[,;]\s*(?=(?:and\s+)?(?:make|set|with|time-?out|async|run it)\b)/i)[0] ??
            "",
        );
      return command ? { command: command.trim() } : {};
    }
    case "timeout": {
      const bare = /^(\d+(?:\.\d+)?)(?![\w.])/.exec(value)?.[1];
      const duration = readDuration(value);
      if (duration) return { timeoutSeconds: duration.seconds };
      if (bare) return { timeoutSeconds: Number(bare) };
      return /\b(?:default|none|nothing)\b|默认|无/i.test(value) ? { timeoutSeconds: null } : {};
    }
    case "description": {
      const description = value.replace(/^["“'「`]|["”'」`]$/g, "").trim();
      return description ? { description } : {};
    }
  }
}

function withoutCommand(text: string, command: string | undefined): string {
  return command ? text.replace(command, " ") : text;
}

/** The lines of the prompt that name the hook, its file and its line, as the page's Edit writes them. */
function splitAim(text: string): { aim: HookAim; changes: string } {
  const lines = text.split("\n");
  const index = lines.findIndex((line, at) => at > 0 && /(?:\bhook|钩子|\bfile|文件)\s*[:：]/i.test(line));
  const aimText = index > 0 ? lines.slice(index).join("\n") : text;
  const path = /(?<![\w./])(?:[A-Za-z]:\\|\/|\\\\)[^\n`"“”]*?\.json\b/.exec(aimText)?.[0];
  const line = /\bline (\d+)|第\s*(\d+)\s*行/i.exec(aimText);
  const aim: HookAim = { ...(path && { file: path }), ...(line && { line: Number(line[1] ?? line[2]) }) };
  if (index <= 0) return { aim, changes: path ? text.replace(path, " ") : text };
  const named = /(?:\bhook|钩子)\s*[:：]\s*(.+)$/im.exec(aimText)?.[1];
  return { aim: { ...aim, ...(named && readHookName(named)) }, changes: lines.slice(0, index).join("\n") };
}

/** ``PostToolUse, Write|Edit, `npm run lint` …``: event, matcher where there is one, command in backticks (it may be cut). */
function readHookName(text: string): HookAim {
  const found = /^\s*([^,，`]+?)\s*(?:[,，]\s*([^`]+?)\s*)?(?:[,，]\s*`(.*)`.*)?$/.exec(text);
  const event = found?.[1];
  const matcher = found?.[3] === undefined ? undefined : found[2];
  const command = found?.[3];
  return { ...(event && { event }), ...(matcher && { matcher }), ...(command && { command }) };
}
