/** What the model last saw of a file. */
export interface SeenFile {
  mtimeMs: number;
  size: number;
  /** SHA-256 of the whole content, hex; absent where only a part was read. */
  hash?: string;
}

/**
 * Which files the model has seen, by resolved path, and in what state (E2). Bounded: the files seen longest ago are
 * forgotten first, and must then be read again before an edit.
 */
export class ReadFiles {
  private readonly seen = new Map<string, SeenFile>();

  constructor(private readonly limit = 2000) {}

  get(realPath: string): SeenFile | undefined {
    return this.seen.get(realPath);
  }

  remember(realPath: string, { mtimeMs, size, hash }: SeenFile): void {
    this.seen.delete(realPath);
    this.seen.set(realPath, { mtimeMs, size, ...(hash === undefined ? {} : { hash }) });
    if (this.seen.size > this.limit) {
      const oldest = this.seen.keys().next();
      if (!oldest.done) this.seen.delete(oldest.value);
    }
  }

  clear(): void {
    this.seen.clear();
  }
}
