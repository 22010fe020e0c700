import type { HookEvent } from "../hooks/hookEvent.ts";
import type { HookManager } from "../hooks/hookManager.ts";
import type { HookEventResult } from "../hooks/hookResult.ts";
import type { TurnActivity } from "./agentOptions.ts";
import type { Conversation } from "./conversation.ts";
import type { NoticeBlock } from "./messages/message.ts";
import type { SessionPlace } from "./tools/tool.ts";

/** Fires the hooks of one conversation and carries their reports into it. */
export class SessionHooks {
  constructor(
    private readonly manager: HookManager,
    private readonly conversation: Conversation,
    private readonly place: SessionPlace,
    private readonly onActivity: (activity: TurnActivity) => void = () => {},
    /** The conversation whose transcript hooks are told, where that is another one (subagents). */
    private readonly main: Conversation = conversation,
  ) {}

  /**
   * Runs the hooks of one event: the transcript is complete before they are told its path, and their notices stand in the
   * conversation afterwards. Blocks and texts for the model are the caller's. Never rejects.
   */
  async fire(event: HookEvent, signal?: AbortSignal): Promise<HookEventResult> {
    const result = await this.run(event, signal);
    this.showNotices(result);
    return result;
  }

  /** The same, and the notices are left to the caller: for moments at which their place in the conversation is not yet there. */
  async run(event: HookEvent, signal?: AbortSignal): Promise<HookEventResult> {
    await this.conversation.save();
    if (this.main !== this.conversation) await this.main.save();
    return this.manager.fire(event, this.place.hookSession(), {
      ...(signal ? { signal } : {}),
      onHookStart: (hook) => {
        if (!hook.background) {
          this.onActivity({ kind: "hook", event: event.name, detail: hook.description ?? hook.command });
        }
      },
    });
  }

  showNotices(result: HookEventResult): void {
    for (const notice of result.notices) this.conversation.addNotice(notice.level, notice.text);
  }

  /** For the user alone. */
  tellUser(level: NoticeBlock["level"], text: string): void {
    this.conversation.addNotice(level, text);
  }

  /** Each text becomes one isMeta user message. */
  tellModel(texts: readonly string[]): void {
    this.conversation.appendMeta(texts);
  }
}
