import { onTestFinished } from "vitest";
import type { AgentOptions } from "../../src/agent/agentOptions.ts";
import { SessionStore } from "../../src/agent/session/sessionStore.ts";
import { addAllowRule } from "../../src/extension/chat/allowRule.ts";
import type { ChatAgent } from "../../src/extension/chat/chatAgent.ts";
import { ChatController } from "../../src/extension/chat/chatController.ts";
import type { UnnumberedChatEvent } from "../../src/extension/chat/chatView.ts";
import { Drafts } from "../../src/extension/chat/drafts.ts";
import type { ChatMessage, ChatMessageView, ChatStateView } from "../../src/protocol/chatView.ts";
import { AgentWorld } from "./agentWorld.ts";
import { english } from "./localizers.ts";
import { MemoryStore } from "./memoryStore.ts";
import type { AnswerScript, ScriptedAnswer } from "./modelService.ts";

/** The chat page's knowledge: what it has been told by events, and a way to await what it shows. */
export class ChatPageMirror {
  state: ChatStateView | undefined;
  messages: readonly ChatMessageView[] = [];
  draft = "";
  files: readonly string[] = [];
  private readonly waiting = new Set<() => void>();

  receive(event: UnnumberedChatEvent): void {
    // What crosses to a webview is a copy.
    const copy = structuredClone(event);
    if (copy.type === "all") {
      this.state = copy.state;
      this.messages = copy.messages;
      this.draft = copy.draft;
    } else if (copy.type === "state") this.state = copy.state;
    else if (copy.type === "messages")
      this.messages = [...this.messages.slice(0, copy.from), ...copy.messages];
    else if (copy.type === "files") this.files = copy.paths;
    for (const look of this.waiting) look();
  }

  /** Role and text of each message, notices with their level in front. */
  get texts(): string[] {
    return this.messages.map(
      ({ role, blocks }) =>
        `${role}: ${blocks
          .map((block) => {
            if (block.type === "text") return block.content;
            if (block.type === "notice") return `[${block.level}] ${block.content}`;
            if (block.type === "tool") return `<${block.tool.name} ${block.tool.state}>`;
            return `<${block.type}>`;
          })
          .join(" ")}`,
    );
  }

  until(fits: (page: ChatPageMirror) => unknown): Promise<this> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!this.state || !fits(this)) return;
        this.waiting.delete(look);
        resolve(this);
      };
      this.waiting.add(look);
      look();
    });
  }
}

/** A chat in a window without VS Code: the real controller, the real agent, a scripted model service. */
export class ChatWorld {
  readonly store = new MemoryStore();
  readonly unseen: string[] = [];
  readonly opened: string[] = [];
  readonly logged: string[] = [];
  trusted = true;
  modelId: string | undefined = "service";

  private constructor(readonly world: AgentWorld) {}

  static async open(script?: readonly ScriptedAnswer[] | AnswerScript): Promise<ChatWorld> {
    return new ChatWorld(await AgentWorld.open(script));
  }

  /** A window on the project; another one is what a reload brings. */
  window(options: AgentOptions = {}): {
    controller: ChatController;
    page: ChatPageMirror;
    say: (message: Exclude<ChatMessage, { type: "ready" }>) => void;
  } {
    const page = new ChatPageMirror();
    const { world } = this;
    const controller = new ChatController({
      l10n: english,
      provider: {
        create: (request): Promise<ChatAgent> =>
          world.agent({ permissionMode: "default", ...request, ...options, callbacks: request.callbacks }),
        listSessions: (directory) => new SessionStore({ home: world.home }).list({ workdir: directory }),
      },
      store: this.store,
      drafts: new Drafts(this.store),
      project: () => ({ name: "app", directory: world.project }),
      isTrusted: () => this.trusted,
      models: () => ({ chosenId: this.modelId, views: [] }),
      modelApplied: async () => {},
      post: (event) => page.receive(event),
      turnChanged: () => {},
      tellUnseen: (text) => this.unseen.push(text),
      addAllowRule,
      findFiles: async (_directory, query) => [`${query}.ts`],
      openFile: (file) => this.opened.push(file),
      openDiff: (file, _diff, state) => this.opened.push(`${state} ${file}`),
      chooseModel: () => {},
      setModel: () => {},
      setUpModel: () => {},
      openSettings: () => {},
      manageTrust: () => {},
      newSession: () => void controller.startNew(),
      log: (message, error) => this.logged.push(error === undefined ? message : `${message} ${error}`),
    });
    onTestFinished(() => controller.end());
    page.receive(controller.everything());
    return { controller, page, say: (message) => controller.handle(message) };
  }
}
