import { copilotEventNamed } from "../../hooks/copilotEvents.ts";
import type { HookAim, HookRequest, HookWish, MissingPart } from "./hookWish.ts";
import { commandOfAnswer, maskQuoted } from "./readCommand.ts";
import { readDuration } from "./readDuration.ts";
import { eventNamesIn, readEvent, readMatcher } from "./readEventAndTools.ts";
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
  String.raw`\b(?:(?:change|set|make|switch|update|edit|move)\s+)?(?:the |its |this |that )?\b(${anyField})\b(?:\s+of\s+(?:my|this|the|that)\s+hooks?)?(?:\s+from\s+[^,;\n]{1,40}?)?\s*(?:\bto\b|=|:|->|→|\binto\b|should be\b|becomes\b)\s*`,
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

/** Stands before a change that is not wanted. */
const refused = /(?:\bdon['’]?t|\bdo not|\bnever|不要|别)\s*$/i;
const mentionsTimeout = new RegExp(fieldNames.timeout, "i");

/** Reads an edit prompt: first the changes, then the lines that name the hook and its file. */
export function understandEdit(text: string, unfilled: ReadonlySet<Placeholder>): HookRequest {
  const { aim, changes } = splitAim(text);
  const wish = readChanges(changes.replace(editPrompt, " "), aim);
  const missing: MissingPart[] = [];
  if (!wish || Object.keys(wish).length === 0 || unfilled.has("value")) missing.push("change");
  if (!aim.file) missing.push("file");
  return { kind: "edit", aim, wish: wish ?? {}, missing };
}

/**
 * Reads what is to change: `timeout to 30 s`, `把命令改成 npm test`, `npm test to npm run ci`, `make it async`, `去掉超时`.
 * Undefined where one of the changes is not understood: then none of them is made.
 */
export function readChanges(text: string, aim: HookAim = {}): HookWish | undefined {
  const wish: HookWish = {};
  const marks = marksIn(text);
  for (const [index, { field, start, end }] of marks.entries()) {
    const value = readValue(field, text.slice(end, marks[index + 1]?.start ?? text.length));
    if (Object.keys(value).length === 0 || refused.test(text.slice(0, start))) return undefined;
    Object.assign(wish, value);
  }
  const outside = marks.length > 0 ? withoutCommand(text, wish.command) : text;
  const words = maskQuoted(outside);
  const removed = fieldOf(removal.exec(words)?.[1] ?? "");
  if (removed === "timeout") wish.timeoutSeconds = null;
  if (removed === "matcher") wish.matcher = null;
  if (wish.timeoutSeconds === undefined && wish.description === undefined && mentionsTimeout.test(words)) {
    const seconds = readDuration(words)?.seconds;
    if (seconds === undefined || seconds === "unclear") return undefined;
    wish.timeoutSeconds = seconds;
  }
  Object.assign(wish, readFlags(words));
  if (Object.keys(wish).length > 0) return wish;
  return readReplacement(text, aim) ?? readInstead(text);
}

/** Where the fields and their new values stand; a command may hold such words itself, so behind one a new clause must begin. */
function marksIn(text: string): { field: FieldName; start: number; end: number }[] {
  const words = maskQuoted(text);
  const marks: { field: FieldName; start: number; end: number }[] = [];
  for (const found of [...words.matchAll(english), ...words.matchAll(chinese)].sort(
    (a, b) => a.index - b.index,
  )) {
    const field = fieldOf(found[1] ?? "");
    const last = marks.at(-1);
    if (!field || (last && found.index < last.end)) continue;
    const startsClause = /(?:[,;，。；、\n]|\.\s|\band\b|\bthen\b|并|且)\s*$/i.test(
      words.slice(0, found.index),
    );
    if ((last?.field === "command" || last?.field === "description") && !startsClause) continue;
    marks.push({ field, start: found.index, end: found.index + found[0].length });
  }
  return marks;
}

/** `change npm test to npm run ci`: the old value says which field is meant. */
function readReplacement(text: string, aim: HookAim): HookWish | undefined {
  const found =
    /\b(?:change|switch|replace|update|set)\s+(.+?)\s+(?:to|into|with|by)\s+(.+)$/is.exec(text.trim()) ??
    /(?:把|将)\s*(.+?)\s*(?:改成|改为|换成|换为)\s*(.+)$/s.exec(text.trim());
  const old = found && unquoted(found[1] ?? "");
  const next = found?.[2];
  if (!old || !next) return undefined;
  const field = (["command", "matcher", "event"] as const).find((name) => aim[name] === old);
  const value = field && readValue(field, next);
  return value && Object.keys(value).length > 0 ? value : undefined;
}

/** "it should run `npm run lint` instead" */
function readInstead(text: string): HookWish | undefined {
  const found =
    /(?:\b(?:run|runs|execute|executes)|跑|运行|执行)\s*(?:`([^`\n]+)`|“([^”\n]+)”|「([^」\n]+)」)/i.exec(
      text,
    );
  const command = found?.slice(1).find((group) => group !== undefined);
  return command ? { command: command.trim() } : undefined;
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'`“「])(.*)["'`”」]$/s, "$2");
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
      const plain = unquoted(value.split(/[\s,，。;；]/)[0] ?? "");
      const event =
        eventNamesIn(plain === "stop" ? "Stop" : plain)[0] ??
        copilotEventNamed(plain)?.row.camelName ??
        readEvent(value);
      return event ? { event } : {};
    }
    case "matcher": {
      const matcher = readMatcher(value);
      return matcher === undefined ? {} : { matcher };
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
          value.slice(
            0,
            maskQuoted(value).search(
              /[，。；\n]|[,;]\s*(?=(?:and\s+)?(?:make|set|with|time-?out|async|run it)\b)|$/i,
            ),
          ),
        );
      return command ? { command: command.trim() } : {};
    }
    case "timeout": {
      const bare = /^(\d+(?:\.\d+)?)(?![\w.])/.exec(value)?.[1];
      const duration = readDuration(value);
      if (duration) return duration.seconds === "unclear" ? {} : { timeoutSeconds: duration.seconds };
      if (bare) return Number(bare) > 0 ? { timeoutSeconds: Number(bare) } : {};
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
  const found = /(?<![\w./])(?:[A-Za-z]:\\|\/|\\\\)[^\n`"“”]*?\.json\b/.exec(aimText);
  const path = found?.[0];
  const behind = found ? aimText.slice(found.index + found[0].length) : aimText;
  const line = /\bline (\d+)|第\s*(\d+)\s*行/i.exec(behind);
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
