/** Walks through what was sent, like a shell: the draft is the newest entry and is there again on the way back. */
export class PromptHistory {
  private entries: readonly string[] = [];
  private index = -1;
  private draft = "";

  constructor(private readonly load: () => readonly string[]) {}

  /** An earlier text, or undefined where there is none. */
  older(current: string): string | undefined {
    if (!this.isAt(current)) {
      this.entries = this.load();
      this.index = -1;
      this.draft = current;
    }
    const entry = this.entries[this.index + 1];
    if (entry !== undefined) this.index++;
    return entry;
  }

  newer(current: string): string | undefined {
    if (!this.isAt(current)) return undefined;
    this.index--;
    return this.index < 0 ? this.draft : this.entries[this.index];
  }

  /** Whether the composer still shows the entry, unedited. */
  isAt(current: string): boolean {
    return this.index >= 0 && this.entries[this.index] === current;
  }
}
