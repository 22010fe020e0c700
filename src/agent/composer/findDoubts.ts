import { holdsCommand, maskQuoted } from "./readCommand.ts";
import { mentionsSchedule } from "./readDuration.ts";
import { eventNamesIn } from "./readEventAndTools.ts";
import { toolNames } from "./vocabulary.ts";

/** What a request says that one hook cannot hold: then there is a question, never a hook that leaves it out. */
export type Doubt = "oneHook" | "condition";

const severalHooks =
  /\b(?:two|three|four|five|several|a few|[2-9])\s+(?:[\w-]+ )?hooks\b|\band (?:also )?(?:one|another)\b|\balso (?:an?|add|create|set|run|one|another|make)\b|\bthen (?:add|create|make)\b|(?:两|二|三|四|五|几|[2-9])\s*个[^，。；,]{0,6}钩子|另外|再(?:加|建|配|新建|创建)|还要|以及再/i;
const bothPlaces =
  /\buser\b.{0,12}\band\b.{0,12}\bproject\b|\bproject\b.{0,12}\band\b.{0,12}\buser\b|用户级?(?:和|与|、|及|跟)项目|项目级?(?:和|与|、|及|跟)用户/i;

const exception =
  /\b(?:except|excluding|other than|but not|unless|apart from)\b|\b(?:everything|all|any\w*) but\b|除了|除[^，。；,]{1,12}(?:以外|之外|外)|除非|仅当|只对|只在[^，。；,]{1,12}(?:时才|才)/i;
const onlyFor =
  /\bonly (?:for|if|when|on)\b|\bif\b(?=[^.,;]{0,30}\b(?:files?|path|branch|command|name|contains?|match\w*|starts?|ends?)\b)|如果[^，。；,]{0,12}(?:文件|路径|分支|命令|包含|匹配)/i;
/** Files of a kind or in a folder: a matcher sees the tool's name alone. */
const someFiles =
  /(?<![\w*])\*+(?:\.\w|\/)|(?<![\w.~/-])(?:[\w.-]+\/)+(?=[\s,，。]|[\u3400-\u9fff]|$)|(?<![\w/])\.[a-z]\w{0,4} files?\b|\b(?:typescript|javascript|python|rust|markdown|css|html|json|yaml|test|config) files?\b|\.[a-z]\w{0,4}\s*文件/i;
const ruleSyntax = new RegExp(String.raw`\b(?:${toolNames.join("|")})\(`);

const refusal =
  /\b(?:do not|don['’]?t|never)\s+(?:\w+\s+){0,2}?(?:add|create|set|make|configure|install|register|put|want|need|write)\b|(?:不要|别|不用|无需|不必|不想|不需要)(?:再|给|我|帮|替|你)*\s*(?:加|建|新建|配|创建|添加|设置|要)/i;
const question =
  /^\s*(?:what|how|why|which|who|where|explain|tell me|list|show|describe|do |does )\b|^\s*(?:is|are) (?!it possible|there a way|there any way)|什么|怎么|为什么|如何|哪些|解释|列出|介绍|会怎样|会发生|^\s*如果我|\b(?:why|what if|what happens)\b[^.]*\?/i;
const report =
  /\b(?:is broken|(?:does|do|did)(?:n['’]?t| not) (?:work|run|fire|do anything)|not working|nothing happens|stopped working)\b|没(?:有)?反应|不生效|没生效|不起作用|不工作|坏了|失效|没(?:有)?(?:运行|触发)/i;

/** Whether a request talks about a hook instead of asking for one. `rest` is the request without its command. */
export function isOnlyTalk(rest: string): boolean {
  return refusal.test(rest) || question.test(rest) || report.test(rest);
}

/** `rest`: the request without its command, its description and the name of its project. */
export function findDoubts(rest: string, isAboutTools: boolean): Doubt[] {
  const words = maskQuoted(rest).replace(/\[[^\]]*\]|【[^】]*】|\S*settings(?:\.local)?\.json/g, " ");
  const doubts: Doubt[] = [];
  if (
    severalHooks.test(words) ||
    bothPlaces.test(words) ||
    eventNamesIn(words).length > 1 ||
    holdsCommand(rest)
  )
    doubts.push("oneHook");
  if (exception.test(words) || mentionsSchedule(words) || ruleSyntax.test(words)) doubts.push("condition");
  else if (isAboutTools ? onlyFor.test(words) || someFiles.test(words) : namesTools(words))
    doubts.push("condition");
  return doubts;
}

/** An event without tools, and yet a tool is named. */
function namesTools(words: string): boolean {
  return new RegExp(String.raw`(?<![\w-])(?:${toolNames.join("|")})(?![\w-])|\bmcp__`).test(words);
}
