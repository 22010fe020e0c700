export interface Trivia {
  kind: "comma" | "comment" | "lineBreak";
  start: number;
  end: number;
}

const token = /\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|\r\n|\n|\r|,|[^\S\r\n]+/y;

/** What stands between two members: commas, comments and line breaks, up to the first other character or `to`. */
export function* triviaBetween(text: string, from: number, to: number): Generator<Trivia> {
  token.lastIndex = from;
  for (let found = token.exec(text); found && found.index < to; found = token.exec(text)) {
    const start = found.index;
    const end = start + found[0].length;
    const first = found[0].charAt(0);
    if (first === ",") yield { kind: "comma", start, end };
    else if (first === "/") yield { kind: "comment", start, end };
    else if (first === "\n" || first === "\r") yield { kind: "lineBreak", start, end };
    token.lastIndex = end;
  }
}
