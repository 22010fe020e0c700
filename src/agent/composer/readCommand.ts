import { hookEvents } from "../../hooks/hookEvents.ts";
import { eventPhrases, runWords, toolNames, toolPhrases } from "./vocabulary.ts";

export interface CommandReading {
  /** "" where there is one, and it is not clear where it begins or ends. */
  command: string;
  /** The request without its command, so that nothing in the command is read as an event or a tool. */
  rest: string;
}

/** The last group of each is what stands between the quotes. */
const fences: readonly RegExp[] = [/(`{2,})(?:\w+\n)?\s*([\s\S]+?)\s*\1(?!`)/, /`((?:\\`|[^`\n])+)`/];
const quotes: readonly RegExp[] = [
  ...fences,
  /“([^”\n]+)”/,
  /「([^」\n]+)」|『([^』\n]+)』/,
  /(?<![\w=])"([^"\n]+)"(?!\w)/,
  /(?<![\w=])‘([^’\n]+)’(?!\w)/,
  /(?<![\w=])'([^'\n]+)'(?!\w)/,
];

/** Where an unquoted command ends: a full stop, or a comma, bracket or word before a known next clause. */
const clauseEnd = new RegExp(
  [
    /[，。；（\n]/,
    /(?<=\w)\.(?=\s+[A-Z])/,
    /[,;]\s*(?:and\s+|then\s+|但|并|且)?(?=(?:(?:with|set|give|its?|a|the|no|not|without|runs?)\s+)*(?:time-?out|time limit|async|rewake|in (?:the )?background|synchronous|wait|wake|describ|description|matcher|for\b|on\b|when|whenever|before|after|every|each time|only\b|none\b|nothing\b|please\b|thanks|at most|max|\d+\s*(?:s|m|h|秒|分)|half|for the|in (?:the|this|my) (?:project|user)|(?:project|user|global)(?: hook| level)?(?: please)?\s*[.!]?$|超时|异步|同步|后台|唤醒|说明|描述|最多|限时|默认|项目|用户))/,
    /\s+(?=(?:with (?:a |an |no )?(?:\S+ )?(?:\S+ )?time-?out|without (?:a )?time-?out|asynchronously|synchronously|in the background|and wake|and waits?|(?:in|for) (?:the|this|my|our) (?:project|repo|repository|workspace))\b)/,
    /\s+(?=后台|异步|同步|超时|最多|限时)/,
    /\s+(?=\([^()]*\b(?:hook|project|user|async|time-?out)\b[^()]*\)\s*$)/,
  ]
    .map(({ source }) => source)
    .join("|"),
);

const startsWithTool = new RegExp(`^(?:the )?(?:${toolNames.join("|")})\\b`);

/** `command: npm test`, `命令是 npm test`. */
const label =
  /(?:^|[\n,，;；。:：.])\s*(?:[-*•]\s*)?(?:the |and )?(?:command|cmd|script|命令|脚本)\s*(?:[:：=]|\bis\b|是|为)\s*/i;
const programs =
  /(?:^|[\s,，:：])(?:npm|pnpm|yarn|bun|npx|deno|cargo|go|docker|podman|poetry|uv|pipenv|dotnet|make|just|task|turbo|nx)(?: --?\S+)*\s+$/;

/**
 * Finds the command of a request: in backticks, after a label, after a word such as "run", in quotes, or after the last
 * colon. Phrases that describe events ("before running shell commands") do not count as a run word.
 */
export function readCommand(text: string): CommandReading | undefined {
  for (const pattern of fences) {
    const found = pattern.exec(text);
    if (found) return cutOut(text, found.index, found[0].length, innerOf(found));
  }
  const labelled = label.exec(text);
  return (
    (labelled && readUnquoted(text, labelled.index + labelled[0].length)) ??
    readAfterRunWord(text) ??
    readQuoted(text) ??
    readAfterColon(text)
  );
}

/** Takes a whole answer as a command, without the quotes round it. */
export function commandOfAnswer(text: string): string {
  const quoted = quotes
    .map((pattern) => pattern.exec(text.trim()))
    .find((found) => found?.[0].length === text.trim().length);
  return (
    quoted
      ? innerOf(quoted)
      : text.replace(/^\s*(?:(?:run|execute)(?:\s*[:：]|\s)|跑|运行|执行)\s*[:：]?\s*/i, "")
  )
    .trim()
    .replace(/[。]$/, "");
}

/**
 * Finds the command in an answer to the question about it, which may be a whole sentence; undefined where the answer is
 * none, such as a question back.
 */
export function readAnsweredCommand(message: string): CommandReading | undefined {
  const text = message
    .trim()
    .replace(
      /^(?:please |just |then )?(?:(?:it|that) should )?(?:(?:the )?(?:command|script)(?: is|\s*[:：=])|use|run|execute|(?:请|就|那就)?(?:用|命令[是为：:]|跑|运行|执行))\s*[:：]?\s*(?=\S)/i,
      "",
    );
  const spans = [...text.matchAll(/`[^`\n]+`/g)];
  for (const pattern of fences) {
    const found = pattern.exec(text);
    if (found && (spans.length <= 1 || found[0].startsWith("``")))
      return cutOut(text, found.index, found[0].length, innerOf(found));
  }
  if (spans.length > 0 || /[?？]\s*$/.test(text)) return undefined;
  const reading = readUnquoted(text.replace(/,?\s+(?:please|thanks?)[.!]?$/i, ""), 0);
  if (!reading?.command || isTalk.test(text)) return undefined;
  return reading;
}

/** Beginnings of a sentence and not of a command; a command that looks like one stands in quotes. */
const isTalk =
  /^(?:what|why|how|when|where|which|i|i['’]m|you|we|my|thanks?|thank|please|yes|no|nope|ok|okay|sure|hmm+|maybe|the|an?|it|this|that|these|both|none|nothing|never|cancel|forget|don['’]?t|not|fix|add|create|change|refactor|explain|help|can|could|should|would|is|are|does|hello|hi)(?=[\s,.!?]|$)/i;

/** Code spans and quotes hide from what looks for words of the request; the text keeps its length. */
export function maskQuoted(text: string): string {
  return text.replace(
    /"(?:[^"\\\n]|\\.)*"|(?<!\w)'[^'\n]*'|`[^`\n]*`|\$\([^()\n]*\)|“[^”\n]*”|「[^」\n]*」/g,
    (found) => "\u0001".repeat(found.length),
  );
}

/** Whether a text without a command holds another one: in backticks, or after a run word and plainly a command. */
export function holdsCommand(rest: string): boolean {
  if (fences.some((pattern) => pattern.test(rest))) return true;
  const reading = readAfterRunWord(rest);
  return (
    reading !== undefined &&
    /^(?:\.{0,2}\/|~\/|[\w-]+\.(?:sh|py|js|mjs|ts|rb|ps1)\b|npm |npx |make |node |python3? )/.test(
      reading.command,
    )
  );
}

function innerOf(found: RegExpExecArray | RegExpMatchArray): string {
  return (found.slice(1).findLast((group) => group !== undefined) ?? "").replaceAll("\\`", "`");
}

function readAfterRunWord(text: string): CommandReading | undefined {
  const masked = maskPhrases(text);
  for (const word of masked.matchAll(runWords)) {
    const program = programs.exec(text.slice(0, word.index));
    const start = program
      ? program.index + (/^[\s,，:：]/.test(program[0]) ? 1 : 0)
      : word.index + word[0].length;
    const tail = text.slice(start);
    if (/^(?:[\s,，;；。.]*$|[,，;；。]|之?[前后]|以[前后]|时|完|的|了|过)/.test(tail)) continue;
    if (startsWithTool.test(tail)) continue;
    const reading = readUnquoted(text, start);
    if (reading) return reading;
  }
  return undefined;
}

/** The command that begins at `start`, with quotes round the whole of it or none. */
function readUnquoted(text: string, start: number): CommandReading | undefined {
  const tail = text.slice(start);
  const quoted = firstQuoted(text, start);
  if (quoted && text.slice(start, quoted.start).trim() === "" && !goesOn(text.slice(quoted.end)))
    return quoted;
  const end = endOfCommand(tail);
  const command = tidy(tail.slice(0, end));
  return command ? cutOut(text, start, end, isWhole(command) ? command : "") : undefined;
}

/** `"./my script.sh" --all`: the quotes belong to the command's first word. */
function goesOn(after: string): boolean {
  return /^(?:\s+--?\w|\s*(?:\||&|<|>|;\s*\w)|\s+[.~/$"'])/.test(after);
}

/** Whether an unquoted text can be one command, and not one with words of the request behind it. */
function isWhole(command: string): boolean {
  const words = maskQuoted(command);
  return (
    !/["'`]/.test(words) &&
    !/,\s|\band (?!\|)/i.test(words) &&
    !/[\u3400-\u9fff]/u.test(words) &&
    (!/\sthen\s/i.test(words) || /^\s*(?:if|while|for)\s/.test(words))
  );
}

/** The command ends where the next clause begins, also one that says when it is to run. */
function endOfCommand(tail: string): number {
  const masked = maskQuoted(tail);
  const end = clauseEnd.exec(masked)?.index ?? tail.length;
  for (const word of masked
    .slice(0, end)
    .matchAll(/\s+(?=(?:when(?:ever)?|before|after|once|on|every time|each time|at the end of)\s)/gi)) {
    const clause = masked.slice(word.index, end);
    const names = [...toolNames, ...Object.keys(hookEvents)];
    if (
      [...eventPhrases, ...toolPhrases].some(({ pattern }) => pattern.test(clause)) ||
      names.some((name) => clause.includes(name))
    ) {
      return word.index;
    }
  }
  return end;
}

/** "on Stop: npm test" - what stands after the last colon, if it reads like a command. */
function readAfterColon(text: string): CommandReading | undefined {
  const found = /[:：]\s*([^:：\n]+)$/.exec(text);
  if (!found?.[1] || /^\s*(?:\/\/|\\)/.test(found[1])) return undefined;
  const end = endOfCommand(found[1]);
  const command = tidy(found[1].slice(0, end));
  if ([...toolNames, ...Object.keys(hookEvents)].some((name) => new RegExp(`^${name}\\b`).test(command)))
    return undefined;
  if (!/^[\w./~$"'-]/.test(command) || /[\u3400-\u9fff]/u.test(command)) return undefined;
  if (/^(?:on|for|when(?:ever)?|before|after|every|each|in|at|once|set|add|change|please)\b/i.test(command))
    return undefined;
  const start = found.index + found[0].length - found[1].length;
  return cutOut(text, start, end, isWhole(command) ? command : "");
}

function readQuoted(text: string): CommandReading | undefined {
  const quoted = firstQuoted(text, 0);
  // what is quoted behind an option is an argument, and what follows goes on with the command
  if (quoted && (/(?:^|\s)--?[\w-]+\s*$/.test(text.slice(0, quoted.start)) || goesOn(text.slice(quoted.end))))
    return { ...quoted, command: "" };
  return quoted;
}

interface QuotedReading extends CommandReading {
  start: number;
  end: number;
}

function firstQuoted(text: string, from: number): QuotedReading | undefined {
  let best: { start: number; length: number; inner: string } | undefined;
  for (const pattern of quotes) {
    const found = new RegExp(pattern.source, "g");
    for (const match of text.slice(from).matchAll(found)) {
      const start = from + match.index;
      if (
        /(?:describ\w*(?: it)?(?: as)?|description|说明|描述)(?:是|为|[:：])?\s*$/i.test(text.slice(0, start))
      )
        continue;
      if (!best || start < best.start) best = { start, length: match[0].length, inner: innerOf(match) };
      break;
    }
  }
  return (
    best && {
      ...cutOut(text, best.start, best.length, best.inner),
      start: best.start,
      end: best.start + best.length,
    }
  );
}

function maskPhrases(text: string): string {
  let masked = text;
  for (const { pattern } of [...eventPhrases, ...toolPhrases]) {
    masked = masked.replace(new RegExp(pattern.source, "gi"), (found) => "\u0000".repeat(found.length));
  }
  return masked;
}

function cutOut(text: string, start: number, length: number, command: string): CommandReading {
  return { command: command.trim(), rest: `${text.slice(0, start)} ⟨⟩ ${text.slice(start + length)}` };
}

function tidy(command: string): string {
  return command
    .trim()
    .replace(/[,;]$/, "")
    .replace(/(?<=\w)\.$/, "")
    .trim();
}
