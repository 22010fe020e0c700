import type { HookEvent } from "../hooks/hookEvent.ts";
import type { SessionHooks } from "./sessionHooks.ts";

export interface StopHooksOptions {
  hooks: SessionHooks;
  /** The event of this moment: Stop, or a subagent's SubagentStop. */
  event(stopHookActive: boolean): HookEvent;
  /** Whether something else comes first: then the feedback stands in the conversation, and the turn ends (H26.1). */
  isUserWaiting(): boolean;
  /** How often one turn may be continued; without limit where undefined. */
  limit: number | undefined;
  onContinue?(count: number): void;
}

/** Asks the hooks at the end of a turn whether it is one, and counts how often they continued it. One per turn. */
export class StopHooks {
  private continuations = 0;
  /** What hooks gave in place of the last answer (C11). */
  modifiedResponse: string | undefined;

  constructor(private readonly options: StopHooksOptions) {}

  async ask(signal: AbortSignal): Promise<"stop" | "continue"> {
    const { hooks, limit } = this.options;
    const result = await hooks.fire(this.options.event(this.continuations > 0), signal);
    if (signal.aborted) return "stop";
    if (!result.block) {
      this.modifiedResponse = result.modifiedResponse;
      hooks.tellModel(result.modelMessages);
      return "stop";
    }
    if (limit !== undefined && this.continuations >= limit) {
      hooks.tellUser(
        "warning",
        `A hook wants the turn to go on, but it has been continued ${this.continuations} times already, which is the limit that is set. The turn ends here.`,
      );
      return "stop";
    }
    hooks.tellModel([await this.transformed(result.block.text, signal), ...result.modelMessages]);
    if (this.options.isUserWaiting()) return "stop";
    this.continuations++;
    this.options.onContinue?.(this.continuations);
    return "continue";
  }

  /** What goes on as the next prompt passes through the hooks that change prompts, as in Copilot. */
  private async transformed(text: string, signal: AbortSignal): Promise<string> {
    const event: HookEvent = { name: "UserPromptTransformed", prompt: text, transformedPrompt: text };
    const result = await this.options.hooks.fire(event, signal);
    return result.modifiedTransformedPrompt ?? text;
  }
}
