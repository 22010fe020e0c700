import type { PermissionNeed } from "../tools/tool.ts";
import { commandVerdict } from "./commandRules.ts";
import { filesInCommand } from "./filesInCommand.ts";
import { specifierCoversPath } from "./pathRule.ts";
import { type ParsedRule, parsePermissionRule, ruleNamesTool, wildcard } from "./permissionRule.ts";
import type { PermissionScope, RuleBehavior, RuleInForce } from "./permissionScope.ts";
import { asSentence, commandNamesProtected, namesProtectedPlace, whyProtected } from "./protectedFiles.ts";
import { isInside, realPathOf } from "./resolvePath.ts";

export interface CallToJudge {
  toolName: string;
  need: PermissionNeed;
  /** What `Name(specifier)` is held against, for tools with neither path nor command. */
  subject?: string;
}

export type PermissionDecision =
  | { behavior: "allow" }
  /** `message`: for the model. */
  | { behavior: "deny"; message: string }
  /** `always`: neither a mode nor a PreToolUse hook may skip the question. `why`: for the user. */
  | { behavior: "ask"; always: boolean; why?: string };

/** Rules first (deny, ask, allow: the strictest that matches), then what the mode allows. Knows no hooks. */
export async function decidePermission(
  call: CallToJudge,
  scope: PermissionScope,
): Promise<PermissionDecision> {
  const { need } = call;
  const file = need.kind === "read" || need.kind === "write" ? need.path : undefined;
  const realFile = file === undefined ? undefined : await realPathOf(file);
  const named = need.kind === "command" ? await filesInCommand(need.command, scope) : [];
  const verdict = rulesVerdict(call, file, realFile, named, scope);
  if (verdict?.behavior === "deny") {
    return {
      behavior: "deny",
      message: `${call.toolName} is refused here by the permission rule ${verdict.rule.rule} (${verdict.rule.origin}). Do not try to get round it.`,
    };
  }
  if (
    need.kind === "write" &&
    file !== undefined &&
    realFile !== undefined &&
    scope.mode !== "bypassPermissions"
  ) {
    if (scope.mode === "plan") return planRefusal(call.toolName);
    const why = await whyProtected(file, realFile, await scope.configFiles());
    // The question names the file itself; where that is a link, also what would really be written.
    if (why) {
      const told = realFile === file ? why : `${realFile}: ${why}`;
      return { behavior: "ask", always: true, why: asSentence(told) };
    }
  }
  if (verdict?.behavior === "ask") {
    return {
      behavior: "ask",
      always: true,
      why: `The permission rule ${verdict.rule.rule} (${verdict.rule.origin}) wants it.`,
    };
  }
  const isAllowed = verdict?.behavior === "allow" || (await modeAllows(need, realFile, scope));
  if (!isAllowed) {
    if (need.kind === "command" && namesProtectedPlace(need.command, named)) {
      return { behavior: "ask", always: true, why: commandNamesProtected };
    }
    return { behavior: "ask", always: false, ...outsideReason(need, realFile, scope) };
  }
  const unreadable = scope.unreadableFiles[0];
  if (unreadable !== undefined && need.kind !== "none" && need.kind !== "read") {
    return {
      behavior: "ask",
      always: true,
      why: `${unreadable} cannot be read, so its permission rules are unknown.`,
    };
  }
  return { behavior: "allow" };
}

function planRefusal(toolName: string): PermissionDecision {
  return {
    behavior: "deny",
    message: `${toolName} was not run: the session is in plan mode, in which nothing is changed. Describe the change instead.`,
  };
}

function outsideReason(
  need: PermissionNeed,
  realFile: string | undefined,
  scope: PermissionScope,
): { why?: string } {
  if (realFile === undefined || isInRoots(realFile, scope)) return {};
  return need.kind === "read" || need.kind === "write"
    ? { why: `${realFile} is outside of the project.` }
    : {};
}

function isInRoots(realFile: string, scope: PermissionScope): boolean {
  return scope.roots.some((root) => isInside(realFile, root));
}

async function modeAllows(
  need: PermissionNeed,
  realFile: string | undefined,
  scope: PermissionScope,
): Promise<boolean> {
  if (scope.mode === "bypassPermissions" || need.kind === "none") return true;
  if (realFile === undefined) return false;
  const roots = await Promise.all(scope.roots.map((root) => realPathOf(root)));
  const isInProject = roots.some((root) => isInside(realFile, root));
  if (need.kind === "read") return isInProject;
  return need.kind === "write" && scope.mode === "acceptEdits" && isInProject;
}

function rulesVerdict(
  call: CallToJudge,
  file: string | undefined,
  realFile: string | undefined,
  namedFiles: readonly string[],
  scope: PermissionScope,
): { behavior: RuleBehavior; rule: RuleInForce } | undefined {
  const rules = scope.rules.flatMap((rule) => {
    const parsed = parsePermissionRule(rule.rule);
    return parsed ? [{ rule, parsed }] : [];
  });
  const named = rules.filter(({ parsed }) => ruleNamesTool(parsed, call.toolName));
  const find = (behavior: RuleBehavior) => {
    const found = named.find(
      ({ rule, parsed }) =>
        rule.behavior === behavior && covers(parsed, behavior, call, file, realFile, scope),
    );
    return found && { behavior, rule: found.rule };
  };
  if (call.need.kind === "command") return commandVerdict(call.need.command, named, rules, namedFiles, scope);
  return find("deny") ?? find("ask") ?? find("allow");
}

function covers(
  rule: ParsedRule,
  behavior: RuleBehavior,
  call: CallToJudge,
  file: string | undefined,
  realFile: string | undefined,
  scope: PermissionScope,
): boolean {
  const { specifier } = rule;
  if (specifier === undefined) return true;
  if (file !== undefined && realFile !== undefined) {
    const hit = (candidate: string) =>
      specifierCoversPath(specifier, candidate, scope, { ignoreCase: behavior !== "allow" });
    // A link must not lead out of what a rule allows, nor into what a rule refuses.
    return behavior === "allow" ? hit(realFile) : hit(file) || hit(realFile);
  }
  return call.subject !== undefined && wildcard(specifier).test(call.subject);
}
