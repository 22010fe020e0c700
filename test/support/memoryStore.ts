import type { KeyValueStore } from "../../src/extension/chat/drafts.ts";

/** `vscode.Memento` in memory: what one window keeps for the next. */
export class MemoryStore implements KeyValueStore {
  private readonly values = new Map<string, unknown>();

  get<T>(key: string): T | undefined {
    return this.values.get(key) as T | undefined;
  }

  async update(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.values.delete(key);
    else this.values.set(key, structuredClone(value));
  }
}
