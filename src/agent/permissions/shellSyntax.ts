/** One simple command of a shell line. */
export interface ShellPart {
  /** As written, outer blanks removed, runs of blanks outside of quotes made one. */
  text: string;
  /** Its words with quotes and backslashes resolved; expansions stay as written. */
  words: readonly string[];
}

export interface ShellLine {
  /** Every command that would run, also those inside substitutions and groups. */
  parts: readonly ShellPart[];
  /**
   * True where the line does more than run its parts one after another with plain arguments: substitutions, redirections to
   * files, assignments, groups, control structures, here-documents, or anything that this reader does not understand.
   * A rule that allows commands by their beginning must not vouch for such a line.
   */
  isOpaque: boolean;
}

const keywords = new Set(
  "if then elif else fi for while until do done case esac in select function time coproc { } ! [[ ]]".split(
    " ",
  ),
);

/**
 * Splits a line of POSIX shell or Bash at everything that ends a command. It need not understand all of the language:
 * what it does not know makes the line opaque, never simpler than it is.
 */
export function readShellLine(source: string): ShellLine {
  const reader = new ShellReader(source);
  reader.read();
  return { parts: reader.parts, isOpaque: reader.isOpaque };
}

class ShellReader {
  readonly parts: ShellPart[] = [];
  isOpaque = false;
  private position = 0;
  private text = "";
  private word: string | undefined;
  private words: string[] = [];

  constructor(private readonly source: string) {}

  read(): void {
    while (this.position < this.source.length) this.step();
    this.endPart();
  }

  private step(): void {
    const char = this.source[this.position] ?? "";
    const next = this.source[this.position + 1] ?? "";
    switch (char) {
      case "\\":
        if (next === "\n") this.position += 2;
        else this.take(2, next);
        return;
      case "'":
        this.singleQuoted();
        return;
      case '"':
        this.doubleQuoted();
        return;
      case "`":
        this.backticks();
        return;
      case "$":
        this.dollar();
        return;
      case " ":
      case "\t":
        this.endWord();
        this.position++;
        return;
      case "#":
        if (this.word !== undefined) this.take(1, char);
        else this.skipTo("\n");
        return;
      case "\n":
      case ";":
      case "|":
        this.endPart();
        this.position++;
        return;
      case "&":
        // `>&1`, `<&0` and `&>file` are redirections, not the end of a command.
        if (next === ">") this.redirection();
        else {
          this.endPart();
          this.position++;
        }
        return;
      case "(":
      case ")":
        this.isOpaque = true;
        this.endPart();
        this.position++;
        return;
      case "<":
      case ">":
        this.redirection();
        return;
      default:
        if (char === "\0" || char === "\r") this.isOpaque = true;
        this.take(1, char);
    }
  }

  /** Adds `length` characters of the source to the text, and `resolved` to the word. */
  private take(length: number, resolved: string): void {
    this.text += this.source.slice(this.position, this.position + length);
    this.word = (this.word ?? "") + resolved;
    this.position += length;
  }

  private singleQuoted(): void {
    const end = this.source.indexOf("'", this.position + 1);
    if (end < 0) {
      this.giveUp();
      return;
    }
    this.take(end + 1 - this.position, this.source.slice(this.position + 1, end));
  }

  private doubleQuoted(): void {
    this.take(1, "");
    for (;;) {
      const char = this.source[this.position];
      if (char === undefined) {
        this.giveUp();
        return;
      }
      if (char === '"') {
        this.take(1, "");
        return;
      }
      if (char === "\\") {
        const next = this.source[this.position + 1] ?? "";
        this.take(2, '"\\$`'.includes(next) ? next : `\\${next}`);
      } else if (char === "`") this.backticks();
      else if (char === "$") this.dollar();
      else this.take(1, char);
    }
  }

  private backticks(): void {
    const end = this.source.indexOf("`", this.position + 1);
    if (end < 0) {
      this.giveUp();
      return;
    }
    this.nested(this.source.slice(this.position + 1, end).replaceAll("\\`", "`"));
    this.takeRaw(end + 1 - this.position);
  }

  private dollar(): void {
    const next = this.source[this.position + 1] ?? "";
    if (next === "(") {
      const end = this.closing(this.position + 1);
      if (end < 0) {
        this.giveUp();
        return;
      }
      this.nested(this.source.slice(this.position + 2, end));
      this.takeRaw(end + 1 - this.position);
    } else if (next === "{") {
      // `${x:-$(command)}` may hold a command; `${x@P}` may run one.
      const end = this.source.indexOf("}", this.position);
      if (end < 0) {
        this.giveUp();
        return;
      }
      const inner = this.source.slice(this.position + 2, end);
      if (!/^[A-Za-z0-9_]+$/.test(inner)) this.isOpaque = true;
      if (/[`(]/.test(inner)) {
        this.giveUp();
        return;
      }
      this.takeRaw(end + 1 - this.position);
    } else if (next === "'") {
      this.isOpaque = true;
      this.ansiQuoted();
    } else if (next === '"') {
      this.isOpaque = true;
      this.take(1, "");
    } else this.takeRaw(1);
  }

  /** `$'r\\x6d'` is `rm`. */
  private ansiQuoted(): void {
    const found = /^\$'((?:[^'\\]|\\[\s\S])*)'/.exec(this.source.slice(this.position));
    if (!found) {
      this.giveUp();
      return;
    }
    const value = (found[1] ?? "").replace(
      /\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4})|([0-7]{1,3})|([\s\S]))/gi,
      (_whole, hex?: string, code?: string, octal?: string, other?: string) =>
        other === undefined
          ? String.fromCharCode(
              hex || code ? Number.parseInt(hex ?? code ?? "", 16) : Number.parseInt(octal ?? "", 8),
            )
          : ({ n: "\n", t: "\t", r: "\r" }[other] ?? other),
    );
    this.take(found[0].length, value);
  }

  private takeRaw(length: number): void {
    this.take(length, this.source.slice(this.position, this.position + length));
  }

  private redirection(): void {
    const match = /^(?:&>>?|<<<|<<-?|<>|>>|>\||[<>]&|[<>]\(|[<>])/.exec(this.source.slice(this.position));
    const operator = match?.[0] ?? "";
    if (operator.endsWith("(")) {
      const end = this.closing(this.position + 1);
      if (end < 0) {
        this.giveUp();
        return;
      }
      this.nested(this.source.slice(this.position + 2, end));
      this.takeRaw(end + 1 - this.position);
      return;
    }
    // A number right before the operator is a file descriptor, no word.
    if (this.word !== undefined && /^\d+$/.test(this.word)) this.word = undefined;
    else this.endWord();
    this.text += operator;
    this.position += operator.length;
    if (operator.startsWith("<<")) {
      // The text of a here-document would be read as commands: opaque, and the more commands found the better for deny rules.
      this.isOpaque = true;
      return;
    }
    const target = /^[ \t]*([^\s;&|<>()]*)/.exec(this.source.slice(this.position));
    const name = target?.[1] ?? "";
    const isHarmless =
      operator === "<" ||
      /^(?:\/dev\/null|\/dev\/stderr|\/dev\/stdout)$/.test(name) ||
      (operator.endsWith("&") && /^(?:\d|-)$/.test(name));
    if (!isHarmless) this.isOpaque = true;
    if (isHarmless && operator !== "<") {
      this.text += target?.[0] ?? "";
      this.position += target?.[0].length ?? 0;
    }
  }

  /** Index of the parenthesis that closes the one at `open`, quotes respected; -1 where there is none. */
  private closing(open: number): number {
    let depth = 0;
    for (let index = open; index < this.source.length; index++) {
      const char = this.source[index];
      if (char === "\\") index++;
      else if (char === "'") {
        index = this.source.indexOf("'", index + 1);
        if (index < 0) return -1;
      } else if (char === "(") depth++;
      else if (char === ")" && --depth === 0) return index;
    }
    return -1;
  }

  private nested(source: string): void {
    this.isOpaque = true;
    const inner = readShellLine(source);
    this.parts.push(...inner.parts);
  }

  private skipTo(char: string): void {
    const end = this.source.indexOf(char, this.position);
    this.position = end < 0 ? this.source.length : end;
  }

  /** Unbalanced or unknown: the rest is one word of an opaque line. */
  private giveUp(): void {
    this.isOpaque = true;
    this.takeRaw(this.source.length - this.position);
  }

  private endWord(): void {
    if (this.word !== undefined) {
      this.words.push(this.word);
      this.word = undefined;
    }
    if (this.text !== "" && !this.text.endsWith(" ")) this.text += " ";
  }

  private endPart(): void {
    this.endWord();
    const text = this.text.trim();
    this.text = "";
    const words = this.words;
    this.words = [];
    if (text === "") return;
    const first = words[0] ?? "";
    if (
      keywords.has(first) ||
      /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(first) ||
      /[$`*?[~]/.test(first) ||
      first === ""
    ) {
      this.isOpaque = true;
    }
    this.parts.push({ text, words });
  }
}
