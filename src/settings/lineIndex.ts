/** Turns offsets of a text into lines and columns, 1-based, with the line ends that VS Code knows: LF, CRLF and CR. */
export class LineIndex {
  private readonly starts: number[] = [0];

  constructor(text: string) {
    for (const lineEnd of text.matchAll(/\r\n|\n|\r/g)) this.starts.push(lineEnd.index + lineEnd[0].length);
  }

  positionAt(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.starts[low] as number) + 1 };
  }
}
