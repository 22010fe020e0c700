import type { HookTarget } from "./hookWish.ts";

/** Which settings file a new hook is meant for; undefined where the request does not say. */
export function readTarget(text: string): HookTarget | undefined {
  const copilotFile =
    /(?:~[\\/]|[A-Za-z]:[\\/]|[\\/])?(?:[^\s`"“”'，。；,;:：]*[\\/])?\.(?:github|copilot)[\\/]hooks[\\/][\w.-]+\.json\b/.exec(
      text,
    )?.[0];
  if (copilotFile) return { copilotFile };
  if (/settings\.local\.json|\blocal(?:ly)?\b(?! host)|本地/i.test(text)) return "local";
  if (
    /\buser(?:[\s-]level)?\b(?=[^.,;]{0,8}\bhooks?\b|[\s-]level| settings)|\bglobal(?:ly)?\b|\b(?:all|every|each)(?: of)?(?: my| the| our)? projects?\b|\bfor me everywhere\b|~\/\.wave|用户级|用户钩子|全局|所有项目/i.test(
      text,
    )
  )
    return "user";
  if (
    /\bprojects?\b|\brepo(?:sitory)?\b|\bworkspace\b|\bin \[[^\]]+\]|【[^】]+】|项目|仓库|工作区/i.test(text)
  )
    return "project";
  return undefined;
}

/** Placeholders of the prefilled prompts that the user has not replaced (seed hooks.md, stories on new and edit). */
const placeholders: readonly [RegExp, Placeholder][] = [
  [/<event>|<事件>/gi, "event"],
  [/<matcher tools>|<matcher 工具>/gi, "tools"],
  [/<command>|<命令>/gi, "command"],
  [/<timeout\/async>|<超时\/异步>/gi, "timeout"],
  [/<event\/matcher\/command\/timeout>|<事件\/匹配\/命令\/超时>/gi, "field"],
  [/<new value>|<新内容>/gi, "value"],
];

export type Placeholder = "event" | "tools" | "command" | "timeout" | "field" | "value";

/** Takes the unfilled placeholders out of a prompt and says which there were. */
export function takePlaceholders(text: string): { text: string; unfilled: ReadonlySet<Placeholder> } {
  const unfilled = new Set<Placeholder>();
  let rest = text;
  for (const [pattern, name] of placeholders) {
    rest = rest.replace(pattern, () => {
      unfilled.add(name);
      return " ";
    });
  }
  return { text: rest, unfilled };
}

/** The same from an answer to the question about it. */
export function readTargetAnswer(message: string): HookTarget | undefined {
  const text = message.replace(
    /\bnot (?:for |in )?(?:the |this |my )?(?:projects?|users?)\b|不是?(?:项目|用户)级?/gi,
    " ",
  );
  if (/\bboth\b|两个都|都要/i.test(text)) return undefined;
  const target = readTarget(text);
  if (target) return target;
  if (/^\W*(?:user|mine|me|for me|everywhere|all|用户|全部|所有|都)/i.test(text) || /\bfor me\b/i.test(text))
    return "user";
  return /^\W*(?:(?:only |just )?(?:this one|this|here)\b|(?:就|只)?(?:有|是|用于|在)?这(?:个|里))/i.test(
    text,
  )
    ? "project"
    : undefined;
}
