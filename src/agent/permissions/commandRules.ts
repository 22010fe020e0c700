import path from "node:path";
import { specifierCoversPath } from "./pathRule.ts";
import { type ParsedRule, specifierCoversCommand } from "./permissionRule.ts";
import type { PermissionScope, RuleBehavior, RuleInForce } from "./permissionScope.ts";
import { namesProtectedPlace } from "./protectedFiles.ts";
import { isInside } from "./resolvePath.ts";
import { readShellLine, type ShellPart } from "./shellSyntax.ts";

interface ReadRule {
  rule: RuleInForce;
  parsed: ParsedRule;
}

/**
 * What the rules say of a shell line. Deny and ask: one covered command in it is enough. Allow: every command must be
 * covered and the line must be plain, so that `git status && rm -rf /` gets nothing from `Bash(git *)`.
 * `bashRules`: the rules that name the tool; `allRules` also hold the Read and Edit rules, which count for files that the line names.
 * `files`: those files, absolute, links resolved too.
 */
export function commandVerdict(
  command: string,
  bashRules: readonly ReadRule[],
  allRules: readonly ReadRule[],
  files: readonly string[],
  scope: PermissionScope,
): { behavior: RuleBehavior; rule: RuleInForce } | undefined {
  const line = readShellLine(command);
  for (const behavior of ["deny", "ask"] as const) {
    const found =
      bashRules.find(
        ({ rule, parsed }) => rule.behavior === behavior && coversSome(parsed, command, line.parts),
      ) ??
      (behavior === "deny"
        ? allRules.find(({ rule, parsed }) => refusesFile(rule, parsed, files, scope))
        : undefined);
    if (found) return { behavior, rule: found.rule };
  }
  const allow = bashRules.filter(({ rule }) => rule.behavior === "allow");
  const whole = allow.find(
    ({ parsed }) =>
      parsed.specifier === command.trim() ||
      (parsed.specifier === undefined && !namesProtectedPlace(command, files)),
  );
  if (whole) return { behavior: "allow", rule: whole.rule };
  if (line.isOpaque || line.parts.length === 0 || namesProtectedPlace(command, files)) return undefined;
  const covering = line.parts.map((part) =>
    allow.find(({ parsed }) => specifierCoversCommand(parsed.specifier ?? "*", part.text)),
  );
  const first = covering.find((rule) => rule !== undefined);
  const all = covering.every((rule, index) => rule !== undefined || isPlainCd(line.parts[index], scope));
  return first && all ? { behavior: "allow", rule: first.rule } : undefined;
}

function coversSome(parsed: ParsedRule, command: string, parts: readonly ShellPart[]): boolean {
  const { specifier } = parsed;
  if (specifier === undefined) return true;
  return [command.trim(), ...parts.flatMap((part) => spellings(part))].some((text) =>
    specifierCoversCommand(specifier, text),
  );
}

/** Commands that run the command that follows them. */
const wrappers = new Set(
  "sudo doas env command builtin exec nohup nice ionice time timeout xargs parallel watch busybox stdbuf setsid coproc eval if then else elif while until do ! {".split(
    " ",
  ),
);
/** Commands whose arguments may hold a whole line of shell. */
const takesScript = /^(?:(?:ba|z|da|k|a)?sh|eval|trap|watch|parallel|su)$/;
const deepest = 5;

/** The command as written, without quotes, and as what it really runs behind assignments, wrappers and shells. */
function spellings(part: ShellPart, depth = 0): string[] {
  const texts = [part.text, part.words.join(" ")];
  let words = part.words[0] === "function" ? part.words.slice(2) : part.words;
  let isOption = false;
  for (let limit = words.length; limit > 0 && words.length > 0; limit--) {
    const first = words[0] ?? "";
    const isSkipped =
      wrappers.has(path.basename(first)) ||
      /^[A-Za-z_]\w*\+?=/.test(first) ||
      (words !== part.words && /^(?:-|\d)/.test(first));
    // `sudo -u root rm`: what stands behind an option may be its value or the command
    if (!isSkipped && isOption) texts.push(words.slice(1).join(" "), basenamed(words.slice(1)));
    if (!isSkipped) break;
    isOption = first.startsWith("-");
    words = words.slice(1);
    texts.push(words.join(" "));
  }
  texts.push(basenamed(words));
  if (depth < deepest) {
    const inner = part.words.some((word) => takesScript.test(path.basename(word)))
      ? part.words.filter((word) => /\s/.test(word)).flatMap((word) => readShellLine(word).parts)
      : [];
    const started = part.words.flatMap((word, index) =>
      /^-(?:exec|execdir|ok|okdir)$/.test(word) ? [part.words.slice(index + 1)] : [],
    );
    const parts = [...inner, ...started.map((list) => ({ text: list.join(" "), words: list }))];
    texts.push(...parts.flatMap((each) => spellings(each, depth + 1)));
  }
  return texts;
}

function basenamed([first = "", ...rest]: readonly string[]): string {
  return [path.basename(first), ...rest].join(" ");
}

/** A file that Read or Edit rules refuse is not to be had through the shell either, as far as the line names it. */
function refusesFile(
  rule: RuleInForce,
  parsed: ParsedRule,
  files: readonly string[],
  scope: PermissionScope,
): boolean {
  const { specifier } = parsed;
  if (rule.behavior !== "deny" || specifier === undefined || !/^(?:Read|Edit)$/.test(parsed.toolName))
    return false;
  return files.some((file) => specifierCoversPath(specifier, file, scope, { ignoreCase: true }));
}

/** `cd` into the project is part of what makes other commands run, and allows nothing by itself. */
function isPlainCd(part: ShellPart | undefined, scope: PermissionScope): boolean {
  if (part?.words[0] !== "cd" || part.words.length !== 2) return false;
  const target = part.words[1] ?? "";
  if (/^[-~]|[$*?[]/.test(target)) return false;
  return scope.roots.some((root) => isInside(path.resolve(scope.cwd, target), root));
}
