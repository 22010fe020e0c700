/** A description of something, and what it stands for. The first match wins, so the particular stands before the general. */
export interface Phrase<T> {
  pattern: RegExp;
  means: T;
}

/** Descriptions of events that are not about one tool; tool events come from `beforeWords` and `afterWords`. */
export const eventPhrases: readonly Phrase<string>[] = [
  {
    pattern:
      /\b(?:creat|mak|enter|open)\w*\b[^.,;]{0,20}\bworktrees?|worktrees?\b[^.,;]{0,12}\b(?:created|creation|made)/i,
    means: "WorktreeCreate",
  },
  { pattern: /(?:创建|新建|建立|进入)[^，。；,]{0,4}(?:worktree|工作树)/i, means: "WorktreeCreate" },
  {
    pattern:
      /\b(?:remov|delet|leav|exit)\w*\b[^.,;]{0,20}\bworktrees?|worktrees?\b[^.,;]{0,12}\b(?:removed|deleted|removal|gone)/i,
    means: "WorktreeRemove",
  },
  { pattern: /(?:删除|移除|退出|清理)[^，。；,]{0,4}(?:worktree|工作树)/i, means: "WorktreeRemove" },
  { pattern: /\b(?:before|prior to)\b[^.,;]{0,30}\bcompact\w*|pre-?compact/i, means: "PreCompact" },
  { pattern: /(?:压缩|compact)[^，。；,后]{0,6}前|(?:压缩|compact)开始/i, means: "PreCompact" },
  { pattern: /\b(?:after|once|when)\b[^.,;]{0,30}\bcompact\w*|post-?compact/i, means: "PostCompact" },
  { pattern: /(?:压缩|compact)[^，。；,前]{0,6}(?:后|完|结束)/i, means: "PostCompact" },
  {
    pattern:
      /\bsub-?agents?\b[^.,;]{0,20}\b(?:stop|finish|end|done|complet|return)\w*|\bafter (?:a|an|the|each|every) sub-?agent\b/i,
    means: "SubagentStop",
  },
  { pattern: /(?:子代理|子智能体|subagent)[^，。；,]{0,6}(?:停|结束|完成|完|返回)/i, means: "SubagentStop" },
  {
    pattern:
      /\bsessions?\b[^.,;]{0,12}\b(?:start|begin|open|resum)\w*|\b(?:start|begin|open)\w*\b[^.,;]{0,12}\bsessions?\b|\bat start-?up\b/i,
    means: "SessionStart",
  },
  {
    pattern: /会话[^，。；,]{0,2}(?:启动|开始|打开|恢复)|(?:开始|新建|打开|启动)[^，。；,]{0,3}会话/,
    means: "SessionStart",
  },
  {
    pattern:
      /\bsessions?\b[^.,;]{0,12}\b(?:end|clos|finish|quit)\w*|\b(?:end|clos|quit)\w*\b[^.,;]{0,12}\bsessions?\b/i,
    means: "SessionEnd",
  },
  {
    pattern: /会话[^，。；,]{0,2}(?:结束|关闭|退出)|(?:结束|关闭|退出)[^，。；,]{0,2}会话/,
    means: "SessionEnd",
  },
  {
    pattern:
      /\b(?:submit|send|enter|typ)\w*\b[^.,;]{0,16}\b(?:prompts?|messages?)\b|\b(?:prompts?|messages?)\b[^.,;]{0,12}\b(?:submitted|sent|entered)\b|\bbefore (?:my|the|each|every|a) (?:prompts?|messages?)\b|\bon (?:each|every) (?:prompt|message)\b/i,
    means: "UserPromptSubmit",
  },
  {
    pattern:
      /(?:提交|发送|输入|发出?)[^，。；,]{0,4}(?:提示|消息|prompt)|(?:提示词?|消息)[^，。；,]{0,2}(?:提交|发送|发出)/i,
    means: "UserPromptSubmit",
  },
  {
    pattern:
      /\b(?:ask|request|need|want|prompt)\w*\b[^.,;]{0,16}\b(?:permissions?|approval)\b|\bpermissions?\b[^.,;]{0,12}\b(?:request|need|ask)\w*/i,
    means: "PermissionRequest",
  },
  {
    pattern: /(?:请求|需要|申请|询问|征求)[^，。；,]{0,4}(?:权限|授权|许可|批准)|权限请求|(?:请求)?授权时/,
    means: "PermissionRequest",
  },
  {
    pattern:
      /\b(?:when|whenever|once|after|every time|each time|as soon as)\b (?:it|you|the agent|wave|claude|copilot|the turn|the assistant|the model|the ai|ai|a turn|the answer|the work)(?:'s|’s)?(?: is| has| are| have)?\b[^.,;]{0,8}\b(?:stop|finish|end|done|complet|idle)\w*|\bat the end of (?:a|the|each|every) (?:turn|answer|response|reply|run)\b|\b(?:after|following) (?:each|every|a|the) (?:turn|answer|response|reply)\b|\bturn (?:ends|is over|finishes)\b|\bon stop(?:ping)?\b|\bwhen (?:stopping|finished|done)\b/i,
    means: "Stop",
  },
  {
    pattern:
      /停止|停下|停(?:了|的)?(?:时|之?后)|(?:回合|回答|回复|响应|任务|工作|这一轮|一轮)[^，。；,]{0,2}(?:完|结束)|(?:做|答|干|写|忙)完(?!件)|收工/,
    means: "Stop",
  },
];

export const beforeWords = /\b(?:before|prior to|ahead of|pre)\b|(?<![当目向提])前(?!端|缀|台)|先于/i;
export const afterWords =
  /\b(?:after|following|once|post)\b|后(?!台|端|缀|续)|(?:完成|结束|成功)(?:时|的时候)|完(?:文件|代码)?(?:时|就)/i;

/** Tools by what people call their work. `null` stands for every tool. */
export const toolPhrases: readonly Phrase<string | null>[] = [
  {
    pattern: /\b(?:all|any|every) mcp (?:tools?|calls?)\b|(?:所有|任何|全部)\s*mcp\s*(?:工具|调用)/i,
    means: "mcp__.*",
  },
  {
    pattern:
      /\b(?:any|every|all|each|a|the)\s+(?:of the\s+)?tools?\b(?:\s+(?:calls?|uses?))?|\btool (?:calls?|uses?)\b/i,
    means: null,
  },
  {
    pattern:
      /(?:所有|任何|任意|全部|每个|每次)(?:的)?工具|(?:使用|调用|执行|运行)工具|工具(?:调用|使用|执行|运行)|全部匹配|匹配所有/,
    means: null,
  },
  {
    pattern:
      /\b(?:shell|bash|terminal) commands?\b|\b(?:run|runs|running|execut\w+) (?:a |an |any |every |each |the )?(?:shell |bash )?commands?\b|\bthe (?:shell|terminal)\b/i,
    means: "Bash",
  },
  {
    pattern:
      /(?:运行|执行|跑)(?:任何|每个|一条|shell|终端|bash)*\s*命令(?=之?前|之?后|以前|以后|时|完)|(?:终端|shell|命令行|bash)\s*命令/i,
    means: "Bash",
  },
  {
    pattern:
      /\bedit(?:s|ed|ing)?\b|\b(?:chang|modif|touch|sav)\w*\b[^.,;]{0,14}\bfiles?\b|\bfiles?\b[^.,;]{0,10}\b(?:chang|modif|edit|sav)\w*/i,
    means: "Edit|Write",
  },
  {
    pattern:
      /(?:编辑|修改|改动|改|更改|保存)[^，。；,]{0,3}(?:文件|代码)|(?:文件|代码)[^，。；,]{0,2}(?:改动|修改|变更|编辑|保存)|编辑(?=之?[前后]|以|时|完)|改完(?:文件|代码)?/,
    means: "Edit|Write",
  },
  { pattern: /\bwrit(?:e|es|ing|ten)\b|\bcreat\w*\b[^.,;]{0,14}\bfiles?\b/i, means: "Write" },
  { pattern: /(?:写入?|新建|创建|生成)[^，。；,]{0,3}文件|写入(?=之?[前后]|时)/, means: "Write" },
  { pattern: /\bread(?:s|ing)?\b/i, means: "Read" },
  { pattern: /(?:读取?|查看|打开)[^，。；,]{0,3}文件|读取(?=之?[前后]|时)/, means: "Read" },
  { pattern: /\bsearch(?:es|ing)?\b/i, means: "Grep|Glob" },
  { pattern: /搜索|查找/, means: "Grep|Glob" },
  { pattern: /\b(?:start|spawn|launch)\w*\b[^.,;]{0,10}\bsub-?agents?\b/i, means: "Agent" },
  { pattern: /(?:启动|创建|调用)[^，。；,]{0,3}(?:子代理|子智能体)/, means: "Agent" },
];

/** Names that a matcher is held against (design.md section 6). */
export const toolNames = [
  "Read",
  "Write",
  "Edit",
  "Bash",
  "Glob",
  "Grep",
  "Agent",
  "Workflow",
  "CronCreate",
  "CronList",
  "CronDelete",
  "EnterWorktree",
  "ExitWorktree",
  "TaskOutput",
  "TaskStop",
] as const;

/** Words after which a command stands. */
export const runWords =
  /(?:\b(?:run|runs|running|execute|executes|executing|call|calls|invoke|invokes|start|starts|launch|launches|trigger)\b|运行|执行|调用|触发|跑)(?:一下|一次|一遍)?\s*(?:(?:the |this |my |a )?(?:shell )?(?:command|script)s?\b|命令|脚本)?\s*[:：]?\s*/gi;
