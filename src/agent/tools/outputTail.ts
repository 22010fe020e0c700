export interface OutputPiece {
  text: string;
  stream: "stdout" | "stderr";
}

/** Output as it came, its last part: memory does not grow with what a command writes. In UTF-16 units. */
export class OutputTail {
  private kept: OutputPiece[] = [];
  private length = 0;
  private droppedLength = 0;

  constructor(private readonly limit: number) {}

  add(text: string, stream: OutputPiece["stream"]): void {
    const last = this.kept.at(-1);
    // Few large pieces instead of thousands of small ones, and yet none that could only be dropped whole.
    if (last?.stream === stream && last.text.length < this.limit / 16) last.text += text;
    else this.kept.push({ text, stream });
    this.length += text.length;
    let first = this.kept[0];
    while (first && this.length - first.text.length >= this.limit) {
      this.drop(first.text.length);
      this.kept.shift();
      first = this.kept[0];
    }
    if (first && this.length > this.limit * 2) {
      const excess = this.length - this.limit;
      first.text = first.text.slice(excess);
      this.drop(excess);
    }
  }

  /** How much of the beginning is gone. */
  get dropped(): number {
    return this.droppedLength;
  }

  pieces(): readonly OutputPiece[] {
    return this.kept.map((piece) => ({ ...piece }));
  }

  text(stream?: OutputPiece["stream"]): string {
    return this.kept
      .map((piece) => (stream === undefined || piece.stream === stream ? piece.text : ""))
      .join("");
  }

  private drop(length: number): void {
    this.length -= length;
    this.droppedLength += length;
  }
}
