const firstCapacity = 4096;

/**
 * Keeps the beginning of a stream of bytes, at most `limit` of them, in one buffer: what it takes does not depend on how much
 * comes, nor on how small the pieces are. Text is decoded once, at the end, so that no character is split.
 */
export class BoundedText {
  private readonly limit: number;
  private bytes: Buffer | undefined;
  private length = 0;
  private dropped = 0;

  /** @param limit In bytes. */
  constructor(limit: number) {
    this.limit = limit;
  }

  add(chunk: Buffer): void {
    const taken = Math.min(chunk.length, this.limit - this.length);
    if (taken > 0) {
      this.reserve(this.length + taken).set(
        taken === chunk.length ? chunk : chunk.subarray(0, taken),
        this.length,
      );
      this.length += taken;
    }
    this.dropped += chunk.length - taken;
  }

  get wasCut(): boolean {
    return this.dropped > 0;
  }

  /** Decoded leniently: bytes that are no UTF-8 become U+FFFD. What was cut ends at a character border and says so. */
  text(): string {
    if (this.bytes === undefined) return "";
    if (this.dropped === 0) return this.bytes.toString("utf8", 0, this.length);
    const end = lastCharacterBorder(this.bytes, this.length);
    return `${this.bytes.toString("utf8", 0, end)}\n… [cut: ${this.dropped + this.length - end} more bytes]`;
  }

  private reserve(needed: number): Buffer {
    const old = this.bytes;
    if (old !== undefined && old.length >= needed) return old;
    let capacity = old?.length ?? firstCapacity;
    while (capacity < needed) capacity *= 4;
    const grown = Buffer.allocUnsafeSlow(Math.min(capacity, this.limit));
    if (old !== undefined) old.copy(grown, 0, 0, this.length);
    this.bytes = grown;
    return grown;
  }
}

/** The largest position up to `end` that is not inside a UTF-8 character whose rest is missing. */
function lastCharacterBorder(bytes: Buffer, end: number): number {
  for (let back = 1; back <= Math.min(3, end); back++) {
    const byte = bytes[end - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? end - back : end;
  }
  return end;
}
