import type { HookEvent, HookEventName } from "./hookEvent.ts";
import { stopInputFields } from "./stopInput.ts";

/**
 * Who is told. `model`: the model, `user`: the person alone, `warning` and `log`: nobody, but the log at that level.
 */
export type Audience = "model" | "user" | "warning" | "log";

/** What exit code 2 of a hook does to the moment at which it ran. */
export interface ExitTwoRule<E> {
  /**
   * `block`: the first one in definition order decides (`HookEventResult.block`). `feedback`: nothing is stopped, the first
   * text in definition order is injected for the model. `none`: reported, nothing else.
   */
  effect: "block" | "feedback" | "none";
  /** Who reads stderr. For a block: who reads `HookBlock.text`. */
  stderrTo: Audience;
  /** The exact wording around stderr; stderr alone where absent. */
  text?: (stderr: string, event: E, command: string) => string;
  /** For people: the documentation and the settings page. */
  means: string;
  /** A blocked moment injects nothing, whatever the JSON of its hooks says (UserPromptSubmit, design.md section 9). */
  discardsContext?: true;
}

/** Rules of an event in the Wave dialect (seed hooks.md, "退出码 2 行为" and "结构化方式"). */
export interface WaveEventRules<E> {
  /** Names of the fields that stdin adds to the common ones, in order; `?` marks one that may be absent. */
  inputFields: readonly string[];
  input: (event: E) => Record<string, unknown>;
  /** What plain (not JSON) stdout at exit code 0 becomes. */
  plainStdout: "nothing" | "context" | "compactInstructions" | "worktreePath";
  exitTwo: ExitTwoRule<E>;
  /** Who is told of any other failure: another exit code, a signal, a timeout, a command that did not start. */
  otherFailuresTo: Exclude<Audience, "model">;
  /** Whether `hookSpecificOutput.additionalContext` is injected for the model. */
  additionalContext: boolean;
  /** Whether `decision: "block"` with a reason counts at exit code 0. */
  decision: boolean;
  /** Whether `systemMessage` is shown to the user. */
  systemMessage: boolean;
  /** In force where the hook sets no timeout. */
  defaultTimeoutMs: number;
}

export interface HookEventRow<E> {
  /** Short name of the moment for people, in English; also the key of its translation. */
  label: string;
  /** One sentence on when it fires. */
  description: string;
  /** What matchers are held against; absent where the event takes none. */
  matchedOn?: { what: string; of: (event: E) => string };
  /** Absent for an event that the Wave dialect does not know. */
  wave?: WaveEventRules<E>;
}

type HookEventTable = { [Name in HookEventName]: HookEventRow<Extract<HookEvent, { name: Name }>> };

const tenMinutes = 600_000;
const toolName = { what: "tool name", of: (event: { toolName: string }) => event.toolName };
const trigger = { what: "trigger (manual, auto)", of: (event: { trigger: string }) => event.trigger };
const agentType = { what: "agent type", of: (event: { agentType: string }) => event.agentType };

const quiet = {
  plainStdout: "nothing",
  otherFailuresTo: "user",
  additionalContext: false,
  decision: false,
  systemMessage: true,
  defaultTimeoutMs: tenMinutes,
} as const;

/** What PreToolUse and PermissionRequest tell of the call that is about to happen. */
const toolCall = {
  inputFields: ["tool_name", "tool_input", "tool_use_id"],
  input: (event: { toolName: string; toolInput: unknown; toolUseId: string }) => ({
    tool_name: event.toolName,
    tool_input: event.toolInput,
    tool_use_id: event.toolUseId,
  }),
};

function stopFields(event: { stopHookActive: boolean; lastAssistantMessage?: string }) {
  const last = event.lastAssistantMessage?.trim();
  return { stop_hook_active: event.stopHookActive, ...(last ? { last_assistant_message: last } : {}) };
}

/** The one table of events: the engine, the documentation and the settings page read it. A new rule is a new cell. */
export const hookEvents: HookEventTable = {
  PreToolUse: {
    label: "Before a tool runs",
    description: "After the model asked for a tool and before it runs.",
    matchedOn: toolName,
    wave: {
      ...quiet,
      ...toolCall,
      exitTwo: {
        effect: "block",
        stderrTo: "model",
        text: (stderr, event) => `PreToolUse:${event.toolName} hook error: ${stderr}`,
        means: "The tool does not run; its result for the model is a failure with stderr.",
      },
      additionalContext: true,
      systemMessage: false,
    },
  },
  PostToolUse: {
    label: "After a tool ran",
    description: "After a tool ran, whether it succeeded or failed.",
    matchedOn: toolName,
    wave: {
      ...quiet,
      inputFields: ["tool_name", "tool_input", "tool_response", "tool_use_id"],
      input: (event) => ({
        tool_name: event.toolName,
        tool_input: event.toolInput,
        tool_response: event.toolResponse,
        tool_use_id: event.toolUseId,
      }),
      exitTwo: {
        effect: "feedback",
        stderrTo: "model",
        text: (stderr, event, command) =>
          `PostToolUse:${event.toolName} hook blocking error from command: "${command}": ${stderr}`,
        means: "The model gets stderr as a message; the tool's result stays as it is.",
      },
      additionalContext: true,
      systemMessage: false,
    },
  },
  UserPromptSubmit: {
    label: "When a prompt is sent",
    description: "After the user sent a prompt and before the model sees it.",
    wave: {
      ...quiet,
      inputFields: ["prompt"],
      input: (event) => ({ prompt: event.prompt }),
      plainStdout: "context",
      exitTwo: {
        effect: "block",
        stderrTo: "user",
        means: "The prompt is not processed and is erased; the user alone sees stderr.",
        discardsContext: true,
      },
      additionalContext: true,
    },
  },
  Stop: {
    label: "When the agent stops",
    description: "At the end of a turn, not after an interruption or a failed model request.",
    wave: {
      ...quiet,
      inputFields: ["stop_hook_active", "last_assistant_message?", "background_tasks", "session_crons"],
      input: (event) => ({ ...stopFields(event), ...stopInputFields(event) }),
      exitTwo: {
        effect: "block",
        stderrTo: "model",
        means: "The agent does not stop: the model gets stderr and goes on.",
      },
      decision: true,
    },
  },
  SubagentStop: {
    label: "When a subagent stops",
    description: "At the end of a subagent's work, before its result goes back to the agent that started it.",
    matchedOn: agentType,
    wave: {
      ...quiet,
      inputFields: [
        "stop_hook_active",
        "last_assistant_message?",
        "agent_id",
        "agent_type",
        "agent_transcript_path",
      ],
      input: (event) => ({
        ...stopFields(event),
        agent_id: event.agentId,
        agent_type: event.agentType,
        agent_transcript_path: event.agentTranscriptPath,
      }),
      exitTwo: {
        effect: "block",
        stderrTo: "model",
        means: "The subagent does not stop: it gets stderr and goes on.",
      },
      decision: true,
    },
  },
  PermissionRequest: {
    label: "When a permission is asked for",
    description: "Before the user is asked whether a tool may run.",
    matchedOn: toolName,
    wave: {
      ...quiet,
      ...toolCall,
      exitTwo: {
        effect: "block",
        stderrTo: "user",
        means: "The permission is refused; the user alone sees stderr.",
      },
    },
  },
  WorktreeCreate: {
    label: "When a worktree is created",
    description: "Instead of `git worktree add`: the hook makes the worktree and prints its path.",
    wave: {
      ...quiet,
      inputFields: ["name"],
      input: (event) => ({ name: event.worktreeName }),
      plainStdout: "worktreePath",
      exitTwo: {
        effect: "none",
        stderrTo: "user",
        means:
          "This hook made no worktree. The first hook that exits with 0 and prints a path decides; where none does, creation is refused.",
      },
    },
  },
  WorktreeRemove: {
    label: "When a worktree is removed",
    description: "Instead of `git worktree remove`, for a worktree that a hook made.",
    wave: {
      ...quiet,
      inputFields: ["worktree_path"],
      input: (event) => ({ worktree_path: event.worktreePath }),
      exitTwo: {
        effect: "none",
        stderrTo: "log",
        means: "Nothing is stopped; the failure is only logged.",
      },
      otherFailuresTo: "log",
    },
  },
  PreCompact: {
    label: "Before the conversation is compacted",
    description: "Before the summary of a long conversation is made, by command or automatically.",
    matchedOn: trigger,
    wave: {
      ...quiet,
      inputFields: ["trigger", "custom_instructions"],
      input: (event) => ({ trigger: event.trigger, custom_instructions: event.customInstructions }),
      plainStdout: "compactInstructions",
      exitTwo: {
        effect: "none",
        stderrTo: "log",
        means: "Compaction goes on; stderr is dropped without a word to the user.",
      },
      otherFailuresTo: "log",
    },
  },
  PostCompact: {
    label: "After the conversation was compacted",
    description: "After the summary of a long conversation took its place.",
    matchedOn: trigger,
    wave: {
      ...quiet,
      inputFields: ["trigger", "compact_summary"],
      input: (event) => ({ trigger: event.trigger, compact_summary: event.compactSummary }),
      exitTwo: {
        effect: "none",
        stderrTo: "user",
        means: "Nothing is stopped; the user alone sees stderr.",
      },
    },
  },
  SessionStart: {
    label: "When a session starts",
    description: "When a session starts, is resumed, cleared or compacted.",
    matchedOn: { what: "source (startup, resume, clear, compact)", of: (event) => event.source },
    wave: {
      ...quiet,
      inputFields: ["source"],
      input: (event) => ({ source: event.source }),
      exitTwo: {
        effect: "none",
        stderrTo: "warning",
        means: "The session starts; the failure is logged as a warning.",
      },
      otherFailuresTo: "warning",
      additionalContext: true,
    },
  },
  SessionEnd: {
    label: "When a session ends",
    description:
      "When a session ends: another one is resumed, the conversation is cleared, or the agent closes.",
    matchedOn: { what: "end_source (resume, clear, other)", of: (event) => event.endSource },
    wave: {
      ...quiet,
      inputFields: ["end_source"],
      input: (event) => ({ end_source: event.endSource }),
      exitTwo: {
        effect: "none",
        stderrTo: "warning",
        means: "The session ends; the failure is logged as a warning.",
      },
      otherFailuresTo: "warning",
      defaultTimeoutMs: 10_000,
    },
  },
  UserPromptTransformed: {
    label: "When a prompt becomes model input",
    description: "After the prompt was turned into what the model will read, before it enters the history.",
  },
  SubagentStart: {
    label: "Before a subagent starts",
    description: "Before a subagent starts its work.",
    matchedOn: agentType,
  },
  Notification: {
    label: "When the agent notifies the user",
    description:
      "When the agent tells the user something, such as a question for permission or a finished task.",
    matchedOn: { what: "notification type", of: (event) => event.notificationType },
  },
  ErrorOccurred: {
    label: "When an error occurs",
    description: "When a model call, a tool or the agent itself fails.",
  },
};

/** The row of an event. */
export function hookEventRow<E extends HookEvent>(event: E): HookEventRow<HookEvent> {
  // One row takes one event type; the table's own type guarantees that this row takes this event.
  return hookEvents[event.name] as HookEventRow<HookEvent>;
}

/** Names of the events that the Wave dialect knows, in the table's order. */
export const waveEventNames: readonly HookEventName[] = (Object.keys(hookEvents) as HookEventName[]).filter(
  (name) => hookEvents[name].wave !== undefined,
);

export function isWaveEventName(name: string): name is HookEventName {
  return Object.hasOwn(hookEvents, name) && hookEvents[name as HookEventName].wave !== undefined;
}
