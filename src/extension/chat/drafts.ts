/** The part of `vscode.Memento` that is needed here. */
export interface KeyValueStore {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

const draftsKey = "chat.drafts";
/** Drafts of long-gone sessions are dropped, the oldest first. */
const maxDrafts = 50;

/** What the user has typed and not sent, by session; kept over a reload. */
export class Drafts {
  private drafts: Record<string, string>;

  constructor(private readonly store: KeyValueStore) {
    this.drafts = { ...store.get<Record<string, string>>(draftsKey) };
  }

  get(sessionId: string): string {
    return Object.hasOwn(this.drafts, sessionId) ? (this.drafts[sessionId] ?? "") : "";
  }

  async set(sessionId: string, text: string): Promise<void> {
    const { [sessionId]: _old, ...others } = this.drafts;
    const kept = Object.fromEntries(Object.entries(others).slice(1 - maxDrafts));
    this.drafts = text === "" ? others : { ...kept, [sessionId]: text };
    await this.store.update(draftsKey, this.drafts);
  }
}
