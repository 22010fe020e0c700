const unitSeconds: readonly [RegExp, number][] = [
  [/^(?:ms|milliseconds?|毫秒)$/i, 0.001],
  [/^(?:s|secs?|seconds?|秒钟?)$/i, 1],
  [/^(?:m|mins?|minutes?|分钟|分)$/i, 60],
  [/^(?:h|hrs?|hours?|小时)$/i, 3600],
];

const englishNumbers = "zero one two three four five six seven eight nine ten".split(" ");
const chineseDigits = "零一二三四五六七八九";

const amount = String.raw`\d+(?:\.\d+)?|half an?|an?|${englishNumbers.slice(1).join("|")}|半|[一二两三四五六七八九十]+`;
const unit =
  "milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|毫秒|秒钟?|分钟|分|小时|个小时";
const duration = new RegExp(String.raw`(?<![\w.])(${amount})[\s-]*(?:个)?(${unit})(?![a-z])(半)?`, "i");
const bareTimeout =
  /(?:\btime-?out\b|\btime limit\b|超时(?:时间)?)\s*(?:(?:is|of|to|at|after|=|:|：|设?为|是|改成|改为|设成)\s*)*(\d+(?:\.\d+)?)(?![\w.])/i;
const noTimeout =
  /\b(?:no|without(?: a| any)?|default|remove(?: the| its)?|drop(?: the| its)?) (?:time-?out|time limit)\b|(?:不设|不要|无|没有|默认|去掉|删除|取消)\s*超时/i;

export interface DurationReading {
  /** Seconds; `null` where the request wants no timeout of its own. */
  seconds: number | null;
  /** What was read, so that the caller can take it out of the text. */
  text: string;
}

/** Reads "30s", "2 minutes", "half a minute", "timeout 45", "三十秒", "2 分钟", "no timeout". */
export function readDuration(text: string): DurationReading | undefined {
  const none = noTimeout.exec(text);
  if (none) return { seconds: null, text: none[0] };
  const found = duration.exec(text);
  if (found?.[1] !== undefined && found[2] !== undefined) {
    const number = readNumber(found[1]) + (found[3] ? 0.5 : 0);
    const factor =
      unitSeconds.find(([pattern]) => pattern.test(found[2]?.replace(/^个/, "") ?? ""))?.[1] ?? 1;
    return { seconds: round(number * factor), text: found[0] };
  }
  const bare = bareTimeout.exec(text);
  return bare?.[1] === undefined ? undefined : { seconds: Number(bare[1]), text: bare[0] };
}

function readNumber(text: string): number {
  const lower = text.toLowerCase();
  if (/^\d/.test(lower)) return Number(lower);
  if (lower.startsWith("half") || lower === "半") return 0.5;
  if (lower === "a" || lower === "an") return 1;
  const english = englishNumbers.indexOf(lower);
  return english > 0 ? english : readChineseNumber(lower);
}

/** Up to 99: 三, 十五, 二十, 九十九. */
function readChineseNumber(text: string): number {
  const digit = (character: string | undefined): number =>
    character === "两" ? 2 : Math.max(0, chineseDigits.indexOf(character ?? ""));
  const ten = text.indexOf("十");
  if (ten < 0) return digit(text[0]);
  return (ten === 0 ? 1 : digit(text[ten - 1])) * 10 + digit(text[ten + 1]);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
