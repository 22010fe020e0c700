/** Text of a task as it grows: the last part is kept, and offsets stay those of the whole text. Counted in UTF-16 units. */
export class BoundedOutput {
  private parts: string[] = [];
  private keptLength = 0;
  private droppedLength = 0;
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** How much was ever written. */
  get length(): number {
    return this.droppedLength + this.keptLength;
  }

  append(text: string): void {
    if (text === "") return;
    this.parts.push(text);
    this.keptLength += text.length;
    // Joining on every small write would cost the whole text each time; twice the limit is let in first.
    if (this.keptLength > this.limit * 2) this.trim(this.limit);
  }

  /** The text from `offset` on, at most `maxLength` of it: the end where it is longer. */
  read(offset: number, maxLength: number): { text: string; from: number; to: number; skipped: number } {
    this.trim(this.limit);
    const kept = this.parts[0] ?? "";
    const wanted = Math.max(0, Math.min(offset, this.length));
    const from = alignToCharacter(
      kept,
      Math.max(wanted, this.droppedLength, this.length - maxLength) - this.droppedLength,
    );
    return {
      text: kept.slice(from),
      from: this.droppedLength + from,
      to: this.length,
      skipped: this.droppedLength + from - wanted,
    };
  }

  /** Lets go of all but the last `limit` units. */
  trim(limit: number): void {
    const whole = this.parts.join("");
    const cut = alignToCharacter(whole, Math.max(0, whole.length - limit));
    this.droppedLength += cut;
    this.keptLength = whole.length - cut;
    this.parts = [cut === 0 ? whole : whole.slice(cut)];
  }
}

/** Never between the halves of one character. */
function alignToCharacter(text: string, index: number): number {
  const code = text.charCodeAt(index);
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff;
  return isSecondHalf && index > 0 ? index + 1 : index;
}
