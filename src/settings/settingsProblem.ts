/** One thing that is wrong in a settings file, as data: the extension translates by the English texts of the table. */
export interface SettingsProblem {
  code: SettingsProblemCode;
  params: Readonly<Record<string, string | number>>;
}

/** A problem with the place where it stands. Lines and columns are 1-based, columns in UTF-16 units, a BOM not counted. */
export interface LocatedProblem extends SettingsProblem {
  severity: "error" | "warning";
  line: number;
  column: number;
}

export type SettingsProblemCode = keyof typeof settingsProblemTexts;

/** What is wrong and what to do about it. `{name}` stands for the parameter of that name. */
export const settingsProblemTexts = {
  // The file as a whole.
  fileEmpty: {
    reason: "The file is empty, so it is not JSON.",
    advice: "Write {} into it, or delete it.",
  },
  fileIsDirectory: {
    reason: "{file} is a folder, not a file.",
    advice: "Move the folder away, so that a settings file can stand there.",
  },
  fileUnreadable: {
    reason: "{file} cannot be read: {cause}.",
    advice: "Give yourself permission to read it.",
  },
  fileDanglingLink: {
    reason: "{file} is a link to {target}, which does not exist.",
    advice: "Create the file that it points to, or delete the link.",
  },
  fileTooLarge: {
    reason: "The file has {size} MiB; files over {limit} MiB are not read.",
    advice: "Remove what does not belong into a settings file.",
  },
  fileNotRegular: {
    reason: "{file} is a device, a pipe or a socket, not a file.",
    advice: "Move it away, so that a settings file can stand there.",
  },
  fileNotText: {
    reason: "The file is not UTF-8 text.",
    advice: "Save it with the encoding UTF-8.",
  },
  // Its JSON. One problem at most: what comes after it cannot be told.
  jsonNothing: {
    reason: "The file holds no value.",
    advice: "Write {} into it, or delete it.",
  },
  jsonNotClosed: {
    reason: "The file ends too early: the bracket opened in line {line}, column {column} is not closed.",
    advice: "Complete the file; until then nothing of it can be listed or changed.",
  },
  jsonStringNotClosed: {
    reason: "A text has no closing quotation mark.",
    advice: 'Write " at its end; a line break inside a text is written \\n.',
  },
  jsonCommentNotClosed: {
    reason: "A comment is not closed.",
    advice: "Write */ at its end.",
  },
  jsonBadEscape: {
    reason: "A text holds an invalid escape sequence.",
    advice: "Write \\\\ for a backslash.",
  },
  jsonBadCharacter: {
    reason: "A text holds a control character.",
    advice: "Write it as an escape sequence, for example \\t for a tab.",
  },
  jsonBadNumber: {
    reason: "A number is incomplete.",
    advice: "Complete it, or put it in quotation marks.",
  },
  jsonUnexpected: {
    reason: "Something stands here that is not JSON.",
    advice: "Remove it, or put it in quotation marks.",
  },
  jsonCommaMissing: {
    reason: "A comma or a closing bracket is missing before this place.",
    advice: "Separate the entries with commas.",
  },
  jsonColonMissing: {
    reason: "A colon is missing between a key and its value.",
    advice: 'Write "key": value.',
  },
  jsonKeyMissing: {
    reason: "A key in quotation marks is expected here.",
    advice: 'Write "key": value.',
  },
  jsonValueMissing: {
    reason: "A value is expected here.",
    advice: "Write the value, or remove the comma or the key before it.",
  },
  jsonTextAfterEnd: {
    reason: "Something stands behind the end of the JSON value.",
    advice: "Remove it, or the bracket that closes too early.",
  },
  notAnObject: {
    reason: "The file holds {found} where an object is expected.",
    advice: 'Write an object, for example {"hooks": {}}.',
  },
  duplicateKey: {
    reason: 'The key "{key}" stands here more than once; only the last one counts.',
    advice: "Merge the entries into one, or remove this one.",
  },
  // Hooks.
  hooksNotAnObject: {
    reason: '"hooks" holds {found} where an object is expected.',
    advice: 'Write an object with event names as keys, for example {"hooks": {"Stop": []}}.',
  },
  eventNotAList: {
    reason: 'The event "{event}" holds {found} where a list is expected.',
    advice: 'Write a list of groups: [{"hooks": [{"type": "command", "command": "..."}]}].',
  },
  eventUnknown: {
    reason: 'There is no event "{event}", so its hooks never run.',
    advice: "Use one of: {events}.",
  },
  eventMisspelt: {
    reason: 'There is no event "{event}", so its hooks never run. Did you mean "{suggestion}"?',
    advice: 'Write "{suggestion}".',
  },
  groupNotAnObject: {
    reason: "This entry is {found} where a group of hooks is expected.",
    advice: 'Write {"hooks": [{"type": "command", "command": "..."}]}.',
  },
  groupWithoutHooks: {
    reason: 'This group has no "hooks".',
    advice: 'Put its commands into a list: "hooks": [{"type": "command", "command": "..."}].',
  },
  groupHooksNotAList: {
    reason: 'The "hooks" of this group hold {found} where a list is expected.',
    advice: 'Write a list: "hooks": [{"type": "command", "command": "..."}].',
  },
  matcherNotText: {
    reason: "The matcher is {found} where a text is expected; the hooks of this group do not run.",
    advice: 'Write a tool name, a list like "Write|Edit", or a regular expression.',
  },
  matcherInvalid: {
    reason:
      'The matcher "{matcher}" is not a valid regular expression ({detail}); the hooks of this group do not run.',
    advice: "Correct the expression, or name the tools, separated by |.",
  },
  matcherIgnored: {
    reason: 'The event "{event}" takes no matcher; "{matcher}" is ignored and the hook always runs.',
    advice: "Remove the matcher.",
  },
  hookNotAnObject: {
    reason: "This entry is {found} where a hook is expected.",
    advice: 'Write {"type": "command", "command": "..."}.',
  },
  typeMissing: {
    reason: 'The hook has no "type".',
    advice: 'Write "type": "command".',
  },
  typeUnknown: {
    reason: "The type of the hook is {found}, which is not supported here.",
    advice: 'Write "type": "command".',
  },
  commandMissing: {
    reason: 'The hook has no "command".',
    advice: "Write the shell command that is to run.",
  },
  commandNotText: {
    reason: "The command is {found} where a text is expected.",
    advice: "Write the shell command as a text in quotation marks.",
  },
  commandEmpty: {
    reason: "The command is empty.",
    advice: "Write the shell command that is to run.",
  },
  timeoutInvalid: {
    reason: "The timeout is {found}, which is no number of seconds greater than 0; the hook does not run.",
    advice: "Write a number of seconds greater than 0, without quotation marks.",
  },
  flagNotBoolean: {
    reason: '"{key}" is {found} where true or false is expected; the hook does not run.',
    advice: "Write true or false, without quotation marks.",
  },
  descriptionNotText: {
    reason: "The description is {found} where a text is expected; it is not shown.",
    advice: "Write the description as a text in quotation marks.",
  },
  settingNotBoolean: {
    reason: '"{key}" is {found} where true or false is expected; it is ignored.',
    advice: "Write true or false, without quotation marks.",
  },
  settingNotObject: {
    reason: '"{key}" is {found} where an object is expected; it is ignored.',
    advice: "Write an object in braces, or remove the key.",
  },
  settingNotList: {
    reason: '"{key}" is {found} where a list is expected; it is ignored.',
    advice: "Write a list in brackets, or remove the key.",
  },
  modeUnknown: {
    reason: '"permissions.defaultMode" is {found}, which is no permission mode; it is ignored.',
    advice: "Use one of: {modes}.",
  },
  ruleNotText: {
    reason: 'A rule under "permissions.{key}" is {found} where a text is expected; it is ignored.',
    advice: 'Write the rule as a text in quotation marks, for example "Bash(npm test)".',
  },
  // Copilot hook files: what that format ignores without a word is said here.
  copilotVersionUnknown: {
    reason: "The file's version is {found}; only version 1 is known, so none of its hooks run.",
    advice: 'Write "version": 1.',
  },
  copilotEventNotAList: {
    reason: 'The event "{event}" holds {found} where a list is expected.',
    advice: 'Write a list of hooks: [{"type": "command", "bash": "..."}].',
  },
  copilotCommandMissing: {
    reason: "The hook has no command.",
    advice: 'Write "bash", "powershell", or "command" for every system.',
  },
  copilotFieldNotSupported: {
    reason: '"{key}" is not supported here; the hook does not run.',
    advice: 'Write the command as a text under "bash", "powershell" or "command".',
  },
  copilotFieldNotText: {
    reason: '"{key}" is {found} where a text is expected; the hook does not run.',
    advice: "Write it as a text in quotation marks.",
  },
  copilotValueNotText: {
    reason: '"{key}" is {found} where a text is expected; it is left out.',
    advice: "Write it as a text in quotation marks.",
  },
  copilotUrlInvalid: {
    reason: 'The hook has no valid address in "url".',
    advice: "Write an address that begins with https://.",
  },
  copilotUrlNeedsHttps: {
    reason: 'A hook with "allowedEnvVars" must use https, so that their values are not sent in the open.',
    advice: "Use an address that begins with https://, or remove the variables.",
  },
  copilotPromptRewrite: {
    reason: '"modifiedPrompt" counts only for hooks given in code; from this hook it is ignored.',
    advice: 'Use the event "userPromptTransformed" with "modifiedTransformedPrompt".',
  },
  // Why a good hook does not run.
  disabledByFile: {
    reason: 'All hooks are turned off by "disableAllHooks" in {file}.',
    advice: 'Remove "disableAllHooks" there to turn them on.',
  },
  workspaceUntrusted: {
    reason: "No hook runs until this workspace is trusted.",
    advice: "Trust the workspace, if you trust its authors.",
  },
  pluginOff: {
    reason: 'The plugin "{plugin}" is turned off by "enabledPlugins" in {file}.',
    advice: "Set it to true there, or remove the entry.",
  },
  otherSystem: {
    reason: "The hook has no command for this operating system.",
    advice: "Add one, if it should run here too.",
  },
  // Why a change was not made.
  fileGone: {
    reason: "{file} does not exist any more.",
    advice: "Nothing was changed. The list shows what is there now.",
  },
  fileChanged: {
    reason: "{file} has changed in the meantime.",
    advice: "Nothing was changed. Look at the list again, then repeat.",
  },
  fileNoPermission: {
    reason: "You have no permission to change {file} ({cause}).",
    advice: "Nothing was changed. Give yourself permission to write the file and its folder.",
  },
  diskFull: {
    reason: "There is no space left on the disk for {file} ({cause}).",
    advice: "Nothing was changed. Free some space, then repeat.",
  },
  fileLocked: {
    reason: "Another window is changing {file}.",
    advice: "Nothing was changed. Try again in a moment.",
  },
  writeFailed: {
    reason: "{file} could not be written: {cause}.",
    advice: "Nothing was changed.",
  },
  fileNotValid: {
    reason: "{file} is not valid JSON (line {line}, column {column}).",
    advice: "Nothing was changed. Correct the file first.",
  },
  editUnsafe: {
    reason: "The hook could not be removed from {file} without changing something else.",
    advice: "Nothing was changed. Remove it in an editor.",
  },
} as const satisfies Record<string, { reason: string; advice: string }>;

/** Puts the parameters into an English text. `vscode.l10n.t` has this very signature and may be passed instead. */
export type Translate = (text: string, params: Record<string, string | number>) => string;

const english: Translate = (text, params) =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : placeholder,
  );

/** Reason and advice as sentences for people. */
export function describeProblem(
  problem: SettingsProblem,
  translate: Translate = english,
): { reason: string; advice: string } {
  const texts = settingsProblemTexts[problem.code];
  const params = { ...problem.params };
  return { reason: translate(texts.reason, params), advice: translate(texts.advice, params) };
}

/** A settings file could not be read or changed. Its message is English; `problem` is the same as data. */
export class SettingsFileError extends Error {
  override readonly name = "SettingsFileError";
  readonly file: string;
  readonly problem: SettingsProblem;

  constructor(file: string, problem: SettingsProblem, options?: ErrorOptions) {
    const { reason, advice } = describeProblem(problem);
    super(`${reason} ${advice}`, options);
    this.file = file;
    this.problem = problem;
  }
}
