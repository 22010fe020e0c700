import type { HookWish, Language, MissingPart } from "./hookWish.ts";
import type { ChangeProblem } from "./settingsChange.ts";
import { matchesTools } from "./understandRequest.ts";

/** What the built-in composer says, in the language of the request. Every text is Markdown. */
export interface Replies {
  decline: string;
  question(part: MissingPart, wish: HookWish, project: string): string;
  reading(file: string): string;
  changing(file: string): string;
  added(file: string, shown: string, event: string): string;
  edited(file: string, shown: string): string;
  problem(problem: ChangeProblem, file: string): string;
  readFailed(file: string, reason: string): string;
  changeFailed(file: string, reason: string): string;
  gaveUp(file: string): string;
  summary(requests: readonly string[]): string;
}

const code = (text: string): string => `\`${text.includes("`") ? text.replaceAll("`", "'") : text}\``;
const block = (json: string): string => `\n\n\`\`\`json\n${json}\n\`\`\`\n\n`;

const english: Replies = {
  decline:
    "I am the built-in composer, not an AI model, and all I can do is set up and edit hooks; for anything else choose a VS Code language model or your own model service in the model picker.",
  question(part, wish, project) {
    switch (part) {
      case "target":
        return `For all your projects (a user hook) or only for **${project}** (a project hook)?`;
      case "event":
        return wish.matcher === undefined
          ? "When should it run? For example: before a tool, after an edit, when the agent stops, when a prompt is sent, when a session starts."
          : `Before or after ${wish.matcher === null ? "each tool call" : code(wish.matcher)}?`;
      case "tools":
        return "For which tools? For example `Edit|Write`, `Bash`, or all tools.";
      case "command":
        return "Which command should it run? In backticks or quotes it is plain where it ends.";
      case "timeout":
        return "How long may it run at most? For example `30 seconds`, or the default.";
      case "oneHook":
        return "That sounds like more than one hook. I set up one at a time: please tell me the first one alone.";
      case "condition":
        return "I changed nothing: a hook is chosen by its event and, for a tool, by the tool's name alone. I cannot write an exception, a schedule, or a limit to certain files or commands into it; the command can check that itself, from its input. Please ask again without that part.";
      case "file":
        return "In which settings file does the hook stand? Press Edit on its row of the hooks page, or give the file's absolute path.";
      case "change":
        return "What should change: the event, the matcher, the command, the timeout or async - and to what?";
    }
  },
  reading: (file) => `Looking at ${code(file)}.`,
  changing: (file) => `Changing ${code(file)}.`,
  added: (file, shown, event) =>
    `Done. This hook now stands in ${code(file)}:${block(shown)}It runs from the next ${event} on. Its row on the hooks page has Edit and Delete.`,
  edited: (file, shown) =>
    `Done. In ${code(file)} the hook now reads:${block(shown)}The change counts from the next event on.`,
  problem(problem, file) {
    switch (problem.code) {
      case "notJson":
        return `I changed nothing: ${code(file)} is not valid JSON (line ${problem.line}, column ${problem.column}). Mend that place, then ask again.`;
      case "wrongShape":
        return `I changed nothing: in ${code(file)} ${code(problem.path)} is not ${problem.expected === "object" ? "an object" : "a list"}. Mend it, then ask again.`;
      case "alreadyThere":
        return `Nothing to do: exactly this hook already stands in ${code(file)} (line ${problem.line}).`;
      case "notFound":
        return `I changed nothing: I cannot find that hook in ${code(file)}. The file may have changed; press Edit on its row again.`;
      case "ambiguous":
        return `I changed nothing: ${problem.count} hooks in ${code(file)} fit that description. Press Edit on the row of the one you mean.`;
      case "unchanged":
        return `Nothing to do: the hook in ${code(file)} is like that already.`;
      case "notShownWhole":
        return `I changed nothing: ${code(file)}, or a line in it, is too long for me to see it whole. Break its lines, or edit it by hand.`;
    }
  },
  readFailed: (file, reason) => `I changed nothing: ${code(file)} could not be read. ${reason}`,
  changeFailed: (file, reason) => `${code(file)} was not changed. ${reason}`,
  gaveUp: (file) =>
    `I gave up: ${code(file)} keeps changing while I work on it. Nothing of yours was overwritten; ask again when it is quiet.`,
  summary: (requests) =>
    requests.length === 0
      ? "Nothing has been asked so far."
      : `So far the user asked:\n${requests.map((request) => `- ${request}`).join("\n")}`,
};

const chinese: Replies = {
  decline:
    "我是内置的钩子助手，不是 AI 模型，只会新建和编辑钩子；其他请求请在模型选择器里改用 VS Code 语言模型或你自己的模型服务。",
  question(part, wish, project) {
    switch (part) {
      case "target":
        return `用于你的所有项目（用户级钩子），还是只用于 **${project}**（项目级钩子）？`;
      case "event":
        return wish.matcher === undefined
          ? "什么时候运行？例如：工具执行前、编辑文件后、停止时、提交提示词时、会话开始时。"
          : `在${wish.matcher === null ? "每次工具调用" : code(wish.matcher)}之前还是之后？`;
      case "tools":
        return "匹配哪些工具？例如 `Edit|Write`、`Bash`，或所有工具。";
      case "command":
        return "要跑什么命令？用反引号或引号括起来，就能看清命令到哪里结束。";
      case "timeout":
        return "最多允许运行多久？例如 `30 秒`，或使用默认值。";
      case "oneHook":
        return "这听起来不止一个钩子。我一次只配一个：请先只说第一个。";
      case "condition":
        return "没有改动：钩子只按事件选择，工具事件再按工具名匹配。例外、定时，或只针对某些文件、某些命令，都写不进钩子里；可以让命令自己根据输入判断。请去掉这部分再说一遍。";
      case "file":
        return "这个钩子在哪个配置文件里？请在钩子页它那一行点「编辑」，或给出文件的绝对路径。";
      case "change":
        return "要改什么：事件、匹配、命令、超时还是异步？改成什么？";
    }
  },
  reading: (file) => `先看一下 ${code(file)}。`,
  changing: (file) => `正在修改 ${code(file)}。`,
  added: (file, shown, event) =>
    `完成。这个钩子已写入 ${code(file)}：${block(shown)}从下一次 ${event} 起生效。可在钩子页它那一行编辑或删除。`,
  edited: (file, shown) => `完成。${code(file)} 中的钩子现在是：${block(shown)}从下一次事件起生效。`,
  problem(problem, file) {
    switch (problem.code) {
      case "notJson":
        return `没有改动：${code(file)} 不是合法的 JSON（第 ${problem.line} 行，第 ${problem.column} 列）。请先修好那里再试。`;
      case "wrongShape":
        return `没有改动：${code(file)} 中的 ${code(problem.path)} 不是${problem.expected === "object" ? "对象" : "数组"}。请先修好再试。`;
      case "alreadyThere":
        return `无需改动：${code(file)} 第 ${problem.line} 行已有完全相同的钩子。`;
      case "notFound":
        return `没有改动：在 ${code(file)} 中找不到这个钩子。文件可能已变化，请在它那一行重新点「编辑」。`;
      case "ambiguous":
        return `没有改动：${code(file)} 中有 ${problem.count} 个钩子符合描述。请在你要改的那一行点「编辑」。`;
      case "unchanged":
        return `无需改动：${code(file)} 中的钩子已经是这样。`;
      case "notShownWhole":
        return `没有改动：${code(file)} 或其中某一行太长，我看不到完整内容。请先换行，或手动编辑。`;
    }
  },
  readFailed: (file, reason) => `没有改动：无法读取 ${code(file)}。${reason}`,
  changeFailed: (file, reason) => `${code(file)} 没有被改动。${reason}`,
  gaveUp: (file) => `已放弃：${code(file)} 在修改过程中不断变化。没有覆盖任何内容，请稍后再试。`,
  summary: (requests) =>
    requests.length === 0
      ? "目前还没有请求。"
      : `到目前为止用户的请求：\n${requests.map((request) => `- ${request}`).join("\n")}`,
};

export function repliesIn(language: Language): Replies {
  return language === "zh" ? chinese : english;
}

/** The hook with its event and group, as it stands in a settings file. */
export function showHook(event: string, matcher: string | undefined, hook: object): string {
  const group = matcher !== undefined && matcher !== "" ? { matcher, hooks: [hook] } : { hooks: [hook] };
  return JSON.stringify({ [event]: [group] }, undefined, 2);
}

/** The matcher that is written: none where the event takes none. */
export function matcherFor(event: string, wish: HookWish): string | undefined {
  if (wish.matcher === null || wish.matcher === undefined) return undefined;
  return matchesTools(event) || !/^(?:Edit|Write|Read|Bash|Glob|Grep|Agent)/.test(wish.matcher)
    ? wish.matcher
    : undefined;
}
