const unitSeconds: readonly [RegExp, number][] = [
  [/^(?:ms|milliseconds?|毫秒)$/i, 0.001],
  [/^(?:s|secs?|seconds?|秒钟?)$/i, 1],
  [/^(?:m|mins?|minutes?|分钟|分)$/i, 60],
  [/^(?:h|hrs?|hours?|小时)$/i, 3600],
  [/^刻钟?$/, 900],
];

const ones =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const chineseDigits = "零一二三四五六七八九";

const numberWord = String.raw`(?:(?:${tens.slice(2).join("|")})(?:[\s-](?:${ones.slice(1, 10).join("|")}))?|${ones.slice(1).reverse().join("|")})(?![a-z])`;
const amount = String.raw`\d+(?:\.\d+)?|(?:a )?quarter of an?|(?:a )?couple of|half an?|an?(?= )|${numberWord}|半|[零一二两三四五六七八九十百]+`;
const unit =
  "milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|毫秒|秒钟?|分钟|分|小时|个小时|刻钟?";
const part = String.raw`(${amount})( and a half)?[\s-]*(?:个)?(${unit})(?![a-z])(半| and a half)?`;
const duration = new RegExp(
  String.raw`(?<![\w.+-]|[-−]\s?)(?:${part})(?:\s*(?:and|,|零)?\s*(?:${amount})[\s-]*(?:个)?(?:${unit})(?![a-z])半?)*`,
  "i",
);
const eachPart = new RegExp(part, "gi");
const mention = String.raw`\btime-?out\b|\btimes? out\b|\btime limit\b|超时(?:时间)?|(?<!权)限时`;
const bareTimeout = new RegExp(
  String.raw`(?:${mention})\s*(?:(?:is|of|to|at|after|should be|=|:|：|设?为|是|改成|改为|设成)\s*)*(\d+(?:\.\d+)?)(?![\w.])`,
  "i",
);
const mentioned = new RegExp(
  String.raw`${mention}|\b(?:a few|some|several|many) (?:seconds|minutes|hours)\b|几(?:秒|分|个小时)`,
  "i",
);
const noTimeout =
  /\b(?:no|never|without(?: a| any)?|default|remove(?: the| its)?|drop(?: the| its)?) (?:time-?out|times? out|time limit)\b|(?:不设|不要|不会?|永不|无|没有|默认|去掉|删除|取消)\s*(?:超时|限时)/i;
/** How often something is to happen says nothing about how long it may take. */
const schedule =
  /\b(?:every|each) (?:\d+(?:\.\d+)?|[a-z]+)?\s*(?:seconds?|minutes?|hours?)\b|每(?:隔)?\s*[\d一二两三四五六七八九十半]+\s*(?:个)?(?:秒|分|小时)/i;

export interface DurationReading {
  /** Seconds, more than 0; `null` where the request wants no timeout of its own, `"unclear"` where it says something that is no length of time. */
  seconds: number | null | "unclear";
  /** What was read, so that the caller can take it out of the text. */
  text: string;
}

export function mentionsSchedule(text: string): boolean {
  return schedule.test(text);
}

/** Reads "30s", "1m 30s", "half a minute", "timeout 45", "三十秒", "2 分钟", "no timeout". */
export function readDuration(original: string): DurationReading | undefined {
  // of the same length, so that what was found stands at the same place in the original
  const text = original.replace(/[０-９]/g, (digit) =>
    String.fromCharCode(digit.charCodeAt(0) - 0xff10 + 0x30),
  );
  const reading = (seconds: DurationReading["seconds"], found: RegExpExecArray): DurationReading => ({
    seconds,
    text: original.slice(found.index, found.index + found[0].length),
  });
  const none = noTimeout.exec(text);
  if (none) return reading(null, none);
  const found = duration.exec(text);
  if (found) {
    let seconds = 0;
    for (const [, number = "", halfBefore, name = "", halfAfter] of found[0].matchAll(eachPart)) {
      const factor = unitSeconds.find(([pattern]) => pattern.test(name.replace(/^个/, "")))?.[1] ?? 1;
      seconds += (readNumber(number) + (halfBefore || halfAfter ? 0.5 : 0)) * factor;
    }
    return reading(seconds > 0 ? round(seconds) : "unclear", found);
  }
  const bare = bareTimeout.exec(text);
  if (bare?.[1] !== undefined) return reading(Number(bare[1]) > 0 ? Number(bare[1]) : "unclear", bare);
  const unread = mentioned.exec(text);
  return unread ? reading("unclear", unread) : undefined;
}

function readNumber(text: string): number {
  const lower = text.toLowerCase();
  if (/^\d/.test(lower)) return Number(lower);
  if (lower.includes("quarter")) return 0.25;
  if (lower.includes("couple")) return 2;
  if (lower.startsWith("half") || lower === "半") return 0.5;
  if (lower === "a" || lower === "an") return 1;
  return /^[a-z]/.test(lower) ? readEnglishNumber(lower) : readChineseNumber(lower);
}

/** Up to ninety-nine. */
function readEnglishNumber(text: string): number {
  return text.split(/[\s-]/).reduce((sum, word) => {
    const one = ones.indexOf(word);
    return sum + (one > 0 ? one : Math.max(0, tens.indexOf(word)) * 10);
  }, 0);
}

/** Up to 999: 三, 十五, 二十, 九十九, 一百二十. */
function readChineseNumber(text: string): number {
  const digit = (character: string | undefined): number =>
    character === "两" ? 2 : Math.max(0, chineseDigits.indexOf(character ?? ""));
  const hundred = text.indexOf("百");
  if (hundred >= 0) {
    const below = text.slice(hundred + 1);
    // 一百二 is 120, 一百零二 is 102
    const rest = below.length === 1 ? digit(below) * 10 : readChineseNumber(below.replace(/^零/, ""));
    return (hundred === 0 ? 1 : digit(text[hundred - 1])) * 100 + (below === "" ? 0 : rest);
  }
  const ten = text.indexOf("十");
  if (ten < 0) return digit(text[0]);
  return (ten === 0 ? 1 : digit(text[ten - 1])) * 10 + digit(text[ten + 1]);
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
