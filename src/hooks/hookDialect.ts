import type { CommandResult } from "./commandRunner.ts";
import type { HookDefinition, HookDialectName } from "./hookDefinition.ts";
import type { HookEvent, HookSession } from "./hookEvent.ts";
import type { HookBlock, HookEventResult, HookNotice } from "./hookResult.ts";

/**
 * One way to write hooks: how they are selected, what they are told, and what their answers mean.
 * The engine runs and merges; everything that differs between dialects is in here.
 */
export interface HookDialect {
  readonly name: HookDialectName;
  /**
   * Events of one name that share this key are met by the same hooks: the engine remembers its selection by it.
   * Everything that `compile`'s predicate looks at must be part of the key.
   */
  selectionKey(event: HookEvent): string;
  /** Once per configuration. A hook that cannot be compiled is skipped and reported; its neighbours run. */
  compile(
    hook: HookDefinition,
  ): { ok: true; selects(event: HookEvent): boolean } | { ok: false; reason: string };
  /** The value that the hook's matcher was held against, for records. */
  matchedOn(event: HookEvent): string | undefined;
  /** Milliseconds; the dialect's default where the hook sets none. */
  timeoutMs(hook: HookDefinition): number;
  /** The JSON object for stdin. */
  buildInput(hook: HookDefinition, event: HookEvent, session: HookSession): Record<string, unknown>;
  interpret(run: FinishedHookRun): HookEffects;
  /** Asked once all of its hooks of the event ran: a block where none gave the answer that the event cannot do without. */
  conclude?(event: HookEvent, runs: readonly HookRunEffects[]): HookBlock | undefined;
}

export interface FinishedHookRun {
  hook: HookDefinition;
  event: HookEvent;
  session: HookSession;
  result: CommandResult;
}

export interface HookRunEffects {
  hook: HookDefinition;
  effects: HookEffects;
}

/** What one run asks for. Texts are final. Merged by mergeEffects.ts. */
export interface HookEffects {
  /** In words, for the run record. */
  outcome: string;
  /** `block` stops the moment, `feedback` only tells the model; the first in definition order counts. */
  verdict?: { kind: "block" | "feedback"; text: string };
  /** The event injects nothing at all when this run's block decides. */
  discardsContext?: true;
  /** For the model, each one isMeta message. */
  context: readonly string[];
  /** For the model too: texts of one heading become one message under it. */
  guidance?: { heading: string; text: string };
  notices: readonly HookNotice[];
  /** For the log alone. */
  log?: { level: "info" | "warn"; text: string };
  /** Why this run did not do its work. */
  failure?: string;
  /** No further hook of the event runs. */
  endsEvent?: true;
  answer?: HookAnswer;
}

/** Answers that go to the caller as they are. */
export type HookAnswer = Partial<
  Pick<
    HookEventResult,
    | "compactInstructions"
    | "worktreePath"
    | "permission"
    | "modifiedToolInput"
    | "modifiedToolResult"
    | "toolResultAddendum"
    | "modifiedPrompt"
    | "modifiedTransformedPrompt"
    | "modifiedResponse"
  >
>;
