import type { HookWish } from "./hookWish.ts";

/** Reads "async", "in the background", "asyncRewake", "synchronously" and their Chinese; sets nothing that the text does not say. */
export function readFlags(request: string): Pick<HookWish, "async" | "asyncRewake"> {
  // ./wake-me.sh is the name of a file
  const text = request.replace(/(?<!\w)(?:~|\.{0,2})\/[\w.~/-]+/g, " ");
  const rewake =
    /\basync[\s-]?rewake\b|\brewake\b|\bwak(?:e|es|ing)\b[^.,;]{0,24}\b(?:up|model|agent|me|it|you)\b|唤醒|回灌/i.test(
      text,
    );
  if (
    /\b(?:no|not|without|disable|remove|drop|stop) (?:being )?(?:async[\s-]?rewake|rewake|waking)|(?:不要?|取消|去掉|关闭)[^，。；,]{0,2}(?:唤醒|回灌|asyncRewake)/i.test(
      text,
    )
  ) {
    return { asyncRewake: false };
  }
  if (rewake) return { asyncRewake: true };
  if (/\b(?:don['’]?t|do not|no need to|without) wait(?:ing)?\b/i.test(text)) return { async: true };
  if (
    /\b(?:not|isn['’]t|don['’]t|no|no longer|without|disable|remove|drop|stop|never)\b[^.,;]{0,16}\basync\w*|\bsync(?:hronous(?:ly)?)?\b|\bwait for it\b|\bin the foreground\b|不(?:要|用|再|是)?(?:改成|设为|设成)?(?:异步|在?后台)|(?:取消|去掉|关闭)异步|同步|前台/i.test(
      text,
    )
  ) {
    return { async: false };
  }
  if (
    /\basync(?:hronous(?:ly)?)?\b|\b(?:in|to) the background\b|\bbackground\b|异步|后台|不用等|无需等|不必等|不等它/i.test(
      text,
    )
  )
    return { async: true };
  return {};
}

/** Reads `described as "…"`, `description: …`, 说明“…”. */
export function readDescription(text: string): { description: string; text: string } | undefined {
  const found =
    /(?:\bdescrib\w*(?: it)?(?: as)?|\bwith (?:the )?description|\bdescription|说明|描述)\s*(?:is|to|为|是|改成|改为|[:：=])?\s*(?:"([^"\n]+)"|“([^”\n]+)”|「([^」\n]+)」|'([^'\n]+)'|(?<=[:：]\s*)([^,，;；\n]+))/i.exec(
      text,
    );
  const description = found
    ?.slice(1)
    .find((group) => group !== undefined)
    ?.trim();
  return found && description ? { description, text: found[0] } : undefined;
}
