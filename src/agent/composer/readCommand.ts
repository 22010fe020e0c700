import { hookEvents } from "../../hooks/hookEvents.ts";
import { eventPhrases, runWords, toolNames, toolPhrases } from "./vocabulary.ts";

export interface CommandReading {
  command: string;
  /** The request without its command, so that nothing in the command is read as an event or a tool. */
  rest: string;
}

const quotes: readonly [RegExp, number][] = [
  [/```(?:\w+\n)?\s*([\s\S]+?)\s*```/, 1],
  [/`([^`\n]+)`/, 1],
  [/“([^”\n]+)”/, 1],
  [/「([^」\n]+)」|『([^』\n]+)』/, 1],
  [/(?<![\w=])"([^"\n]+)"(?!\w)/, 1],
  [/(?<![\w=])‘([^’\n]+)’(?!\w)/, 1],
  [/(?<![\w=])'([^'\n]+)'(?!\w)/, 1],
];

/** Where an unquoted command ends: a full-width stop, or a comma or word before a known next clause. */
const clauseEnd =
  /[，。；\n]|[,;]\s*(?:and\s+|then\s+|但|并|且)?(?=(?:(?:with|set|give|its?|a|the|no|without)\s+)*(?:time-?out|time limit|async|rewake|in the background|synchronous|wait|wake|describ|description|matcher|for\b|on\b|when|whenever|before|after|every time|each time|at most|max|\d+\s*(?:s|m|h|秒|分)|half|for the|in (?:the|this|my) (?:project|user)|超时|异步|同步|后台|唤醒|说明|描述|最多|限时|默认))|\s+(?=(?:with (?:a |an |no )?(?:\S+ )?(?:\S+ )?time-?out|without (?:a )?time-?out|asynchronously|synchronously|in the background|and wake)\b)/;

/**
 * Finds the command of a request: in backticks, in quotes, after a word such as "run", or after the last colon.
 * Phrases that describe events ("before running shell commands") do not count as a run word.
 */
export function readCommand(text: string): CommandReading | undefined {
  for (const [pattern] of quotes.slice(0, 2)) {
    const found = pattern.exec(text);
    if (found) return cutOut(text, found.index, found[0].length, found[1] ?? "");
  }
  const afterRun = readAfterRunWord(text);
  if (afterRun) return afterRun;
  const quoted = firstQuoted(text, 0);
  return quoted ?? readAfterColon(text);
}

/** Takes a whole answer as a command, without the quotes round it. */
export function commandOfAnswer(text: string): string {
  const quoted = quotes
    .map(([pattern]) => pattern.exec(text))
    .find((found) => found?.[0].length === text.trim().length);
  return (quoted?.[1] ?? text.replace(/^(?:run|execute|跑|运行|执行)\s*[:：]?\s*/i, ""))
    .trim()
    .replace(/[。]$/, "");
}

function readAfterRunWord(text: string): CommandReading | undefined {
  const masked = maskPhrases(text);
  for (const word of masked.matchAll(runWords)) {
    const start = word.index + word[0].length;
    const tail = text.slice(start);
    if (/^(?:[\s,，;；。.]*$|[,，;；。]|之?[前后]|以[前后]|时|完|的|了|过)/.test(tail)) continue;
    const quoted = firstQuoted(text, start);
    if (quoted && /^\s*$/.test(text.slice(start, quoted.start))) return quoted;
    const end = endOfCommand(tail);
    const command = tidy(tail.slice(0, end));
    if (command) return cutOut(text, start, end, command);
  }
  return undefined;
}

/** The command ends where the next clause begins, also one that says when it is to run. */
function endOfCommand(tail: string): number {
  const end = clauseEnd.exec(tail)?.index ?? tail.length;
  for (const word of tail
    .slice(0, end)
    .matchAll(/\s+(?=(?:when(?:ever)?|before|after|once|on|every time|each time|at the end of)\s)/gi)) {
    const clause = tail.slice(word.index, end);
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
  if ([...toolNames, ...Object.keys(hookEvents)].includes(command)) return undefined;
  if (!/^[\w./~$"'-]/.test(command) || /[\u3400-\u9fff]/u.test(command)) return undefined;
  if (/^(?:on|for|when(?:ever)?|before|after|every|each|in|at|once|set|add|change|please)\b/i.test(command))
    return undefined;
  const start = found.index + found[0].length - found[1].length;
  return cutOut(text, start, end, command);
}

function firstQuoted(text: string, from: number): (CommandReading & { start: number }) | undefined {
  let best: { start: number; length: number; inner: string } | undefined;
  for (const [pattern] of quotes) {
    const found = new RegExp(pattern.source, "g");
    for (const match of text.slice(from).matchAll(found)) {
      const start = from + match.index;
      if (
        /(?:describ\w*(?: it)?(?: as)?|description|说明|描述)(?:是|为|[:：])?\s*$/i.test(text.slice(0, start))
      )
        continue;
      if (!best || start < best.start)
        best = { start, length: match[0].length, inner: match[1] ?? match[2] ?? "" };
      break;
    }
  }
  return best && { ...cutOut(text, best.start, best.length, best.inner), start: best.start };
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
