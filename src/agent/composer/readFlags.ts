import type { HookWish } from "./hookWish.ts";

/** Reads "async", "in the background", "asyncRewake", "synchronously" and their Chinese; sets nothing that the text does not say. */
export function readFlags(text: string): Pick<HookWish, "async" | "asyncRewake"> {
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
  if (
    /\b(?:not|isn't|no|without|disable|remove|drop)\b[^.,;]{0,6}\basync\w*|\bsync(?:hronous(?:ly)?)?\b|\bwait for it\b|\bin the foreground\b|不(?:要|用|再)?异步|(?:取消|去掉|关闭)异步|同步|前台/i.test(
      text,
    )
  ) {
    return { async: false };
  }
  if (/\basync(?:hronous(?:ly)?)?\b|\b(?:in|to) the background\b|\bbackground\b|异步|后台/i.test(text))
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
