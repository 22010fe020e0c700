import type { Logger } from "../../base/logger.ts";
import type { PermissionMode } from "../../hooks/hookEvent.ts";
import type { HookEventResult } from "../../hooks/hookResult.ts";
import type { PermissionRules } from "../../settings/permissionRules.ts";
import type { CanUseTool, PermissionAnswer, PermissionQuestion, TurnActivity } from "../agentOptions.ts";
import { rejectOnAbort } from "../rejectOnAbort.ts";
import type { SessionHooks } from "../sessionHooks.ts";
import type { PermissionNeed, SessionPlace } from "../tools/tool.ts";
import { specifierCoversPath } from "./pathRule.ts";
import { type CallToJudge, decidePermission, type PermissionDecision } from "./permissionDecision.ts";
import { parsePermissionRule } from "./permissionRule.ts";
import type { PermissionScope, RuleInForce } from "./permissionScope.ts";
import { suggestRule } from "./suggestRule.ts";

export interface PermissionGateOptions {
  mode(): PermissionMode;
  /** Rules of the settings files as they are now. */
  fileRules(): Promise<PermissionRules>;
  /** Rules that the user's answers brought; lives as long as the agent. */
  sessionRules: RuleInForce[];
  /** Settings files in force. */
  configFiles(): Promise<readonly string[]>;
  home: string;
  canUseTool: CanUseTool | undefined;
  /** The user is about to be asked. */
  onQuestion?(question: PermissionQuestion): void;
  logger: Logger;
}

export interface GatedCall extends CallToJudge {
  id: string;
  input: unknown;
}

export type Permission = { allowed: true } | { allowed: false; message: string; endTurn?: boolean };

/** Decides whether a call may run: rules and mode, then PermissionRequest hooks, then the user. */
export class PermissionGate {
  constructor(private readonly options: PermissionGateOptions) {}

  /**
   * `fromPreToolUse`: what PreToolUse hooks said of permission. It can refuse, ask, or skip a question of the mode;
   * it never overrules a rule. Rejects only when `signal` aborts.
   */
  async check(
    call: GatedCall,
    conversation: {
      place: SessionPlace;
      hooks: SessionHooks;
      agentType?: string;
      onActivity(activity: TurnActivity): void;
    },
    fromPreToolUse: HookEventResult["permission"],
    signal: AbortSignal,
  ): Promise<Permission> {
    const decision = await this.decide(call, conversation.place);
    if (decision.behavior === "deny") return { allowed: false, message: decision.message };
    if (fromPreToolUse?.decision === "deny") return refusedByHook(call.toolName, fromPreToolUse);
    const isAsked =
      decision.behavior === "ask"
        ? decision.always || fromPreToolUse?.decision !== "allow"
        : fromPreToolUse?.decision === "ask";
    if (!isAsked) return { allowed: true };
    if (this.options.mode() === "dontAsk") {
      return {
        allowed: false,
        message: `${call.toolName} was not run: it needs a permission, and in this session nobody is asked. Go on without it.`,
      };
    }
    return this.ask(call, decision, conversation, fromPreToolUse?.reason, signal);
  }

  /** The files that deny rules keep from the model. */
  async readRefusals(place: SessionPlace): Promise<(file: string) => boolean> {
    const scope = await this.scope(place);
    const specifiers = scope.rules.flatMap(({ rule, behavior }) => {
      const parsed = behavior === "deny" ? parsePermissionRule(rule) : undefined;
      return parsed?.toolName === "Read" && parsed.specifier !== undefined ? [parsed.specifier] : [];
    });
    return (file) =>
      specifiers.some((specifier) => specifierCoversPath(specifier, file, scope, { ignoreCase: true }));
  }

  private async decide(call: GatedCall, place: SessionPlace): Promise<PermissionDecision> {
    return decidePermission(call, await this.scope(place));
  }

  private async scope(place: SessionPlace): Promise<PermissionScope> {
    const { home, configFiles, sessionRules } = this.options;
    const fromFiles = await this.options.fileRules();
    return {
      mode: this.options.mode(),
      cwd: place.cwd,
      roots: place.roots,
      projectDir: place.projectDir,
      home,
      configFiles,
      rules: [
        ...fromFiles.rules.map(({ rule, behavior, file, line }) => ({
          rule,
          behavior,
          origin: `${file}:${line}`,
        })),
        ...sessionRules,
      ],
      unreadableFiles: fromFiles.unreadableFiles,
    };
  }

  private async ask(
    call: GatedCall,
    decision: PermissionDecision,
    conversation: {
      place: SessionPlace;
      hooks: SessionHooks;
      agentType?: string;
      onActivity(activity: TurnActivity): void;
    },
    hookReason: string | undefined,
    signal: AbortSignal,
  ): Promise<Permission> {
    const diff = call.need.kind === "write" ? call.need.diff : undefined;
    const result = await conversation.hooks.fire(
      {
        name: "PermissionRequest",
        toolName: call.toolName,
        toolInput: call.input,
        toolUseId: call.id,
        ...(diff === undefined ? {} : { diff }),
      },
      signal,
    );
    signal.throwIfAborted();
    conversation.hooks.tellModel(result.modelMessages);
    if (result.block) {
      // Its text is for the user alone (X6).
      conversation.hooks.tellUser("error", result.block.text);
      return {
        allowed: false,
        message: `A hook refused permission for ${call.toolName}. Do not try the same again; find another way or ask the user.`,
      };
    }
    if (result.permission?.decision === "deny") return refusedByHook(call.toolName, result.permission);
    // What always asks, such as a change of the hooks' own configuration, no hook may answer for the user.
    const isUsersAlone = decision.behavior === "ask" && decision.always;
    if (result.permission?.decision === "allow" && !isUsersAlone) return { allowed: true };
    return this.askUser(call, decision, conversation, hookReason, signal);
  }

  private async askUser(
    call: GatedCall,
    decision: PermissionDecision,
    conversation: { place: SessionPlace; agentType?: string; onActivity(activity: TurnActivity): void },
    hookReason: string | undefined,
    signal: AbortSignal,
  ): Promise<Permission> {
    const { canUseTool, logger, home } = this.options;
    if (!canUseTool) {
      return {
        allowed: false,
        message: `${call.toolName} was not run: it needs a permission that nobody here can give. Go on without it.`,
      };
    }
    const why = (decision.behavior === "ask" ? decision.why : undefined) ?? hookReason;
    const always = decision.behavior === "ask" && decision.always;
    const rule = always ? undefined : suggestRule(call, { home, projectDir: conversation.place.projectDir });
    const question: PermissionQuestion = {
      id: call.id,
      toolName: call.toolName,
      toolInput: call.input,
      summary: summaryOf(call.need),
      ...detailsOf(call.need),
      ...(why === undefined ? {} : { reason: why }),
      ...(rule === undefined ? {} : { suggestedRule: rule }),
      ...(conversation.agentType === undefined ? {} : { agentType: conversation.agentType }),
      signal,
    };
    conversation.onActivity({ kind: "permission", toolName: call.toolName });
    this.options.onQuestion?.(question);
    const answer = await rejectOnAbort(
      Promise.resolve()
        .then(() => canUseTool(question))
        .catch((error: unknown): PermissionAnswer => {
          logger.error(`The permission question for ${call.toolName} failed; it counts as refused.`, error);
          return { behavior: "deny" };
        }),
      signal,
    );
    if (answer.behavior !== "allow") {
      const message = answer.message?.trim();
      return {
        allowed: false,
        message: message
          ? `The user refused this use of ${call.toolName} and said: ${message}`
          : `The user refused this use of ${call.toolName}. Do not try to reach the same by other means; ask what to do instead.`,
        ...(answer.interrupt ? { endTurn: true } : {}),
      };
    }
    if (answer.rule !== undefined && parsePermissionRule(answer.rule)) {
      this.options.sessionRules.push({ rule: answer.rule, behavior: "allow", origin: "this session" });
    }
    return { allowed: true };
  }
}

function refusedByHook(toolName: string, permission: NonNullable<HookEventResult["permission"]>): Permission {
  const reason = permission.reason?.trim();
  return {
    allowed: false,
    message: reason || `A hook refused permission for ${toolName}.`,
    ...(permission.interrupt ? { endTurn: true } : {}),
  };
}

function summaryOf(need: PermissionNeed): string {
  switch (need.kind) {
    case "none":
      return "";
    case "read":
    case "write":
      return need.path;
    case "command":
      return need.command;
    case "other":
      return need.summary;
  }
}

function detailsOf(need: PermissionNeed): { file?: string; diff?: string } {
  if (need.kind !== "read" && need.kind !== "write") return {};
  return need.kind === "write" && need.diff !== undefined
    ? { file: need.path, diff: need.diff }
    : { file: need.path };
}
