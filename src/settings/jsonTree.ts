import { createScanner } from "jsonc-parser";

/** A value of a JSON text with its place: offsets in UTF-16 units, `end` behind the last character. */
export type JsonNode = JsonScalar | JsonArray | JsonObject;

export interface JsonScalar {
  kind: "scalar";
  value: string | number | boolean | null;
  offset: number;
  end: number;
}

export interface JsonArray {
  kind: "array";
  items: JsonNode[];
  offset: number;
  end: number;
}

export interface JsonObject {
  kind: "object";
  /** In the order of the text, repeated keys included: the last one counts, as in JSON.parse. */
  members: JsonMember[];
  offset: number;
  end: number;
}

export interface JsonMember {
  key: string;
  /** Of the key. */
  offset: number;
  value: JsonNode;
}

export type JsonSyntaxErrorCode =
  | "jsonNothing"
  | "jsonNotClosed"
  | "jsonStringNotClosed"
  | "jsonCommentNotClosed"
  | "jsonBadEscape"
  | "jsonBadCharacter"
  | "jsonBadNumber"
  | "jsonUnexpected"
  | "jsonCommaMissing"
  | "jsonColonMissing"
  | "jsonKeyMissing"
  | "jsonValueMissing"
  | "jsonTextAfterEnd";

export interface JsonSyntaxError {
  code: JsonSyntaxErrorCode;
  offset: number;
  /** jsonNotClosed: where the innermost open bracket stands. */
  openedAt?: number;
}

export type JsonTree = { ok: true; root: JsonNode } | { ok: false; error: JsonSyntaxError };

/** jsonc-parser's token kinds; its const enum cannot be used with isolated modules. */
const token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  firstTrivia: 12,
  lastTrivia: 15,
  unknown: 16,
  end: 17,
} as const;

/** jsonc-parser's scan errors, by their number. */
const scanErrors: readonly (JsonSyntaxErrorCode | undefined)[] = [
  undefined,
  "jsonCommentNotClosed",
  "jsonStringNotClosed",
  "jsonBadNumber",
  "jsonBadEscape",
  "jsonBadEscape",
  "jsonBadCharacter",
];

/** What may come next inside the innermost open bracket. */
type Expectation = "value" | "valueOrEnd" | "keyOrEnd" | "colon" | "commaOrEnd" | "nothing";

/**
 * Parses JSON with comments and trailing commas up to the first error.
 * jsonc-parser's scanner does the reading. Its parser is not used: it is recursive (10,000 nested lists overflow the stack) and
 * goes on after an error with values that are not in the text.
 */
export function parseJsonTree(text: string): JsonTree {
  const scanner = createScanner(text, false);
  const open: (JsonArray | JsonObject)[] = [];
  let root: JsonNode | undefined;
  let key = "";
  let keyOffset = 0;
  let expected: Expectation = "value";

  const place = (node: JsonNode): void => {
    const container = open.at(-1);
    if (!container) root = node;
    else if (container.kind === "array") container.items.push(node);
    else container.members.push({ key, offset: keyOffset, value: node });
    expected = container ? "commaOrEnd" : "nothing";
  };

  for (;;) {
    // The scanner copies blanks character by character, which would take most of the time.
    scanner.setPosition(endOfBlanks(text, scanner.getPosition()));
    const kind: number = scanner.scan();
    const offset = scanner.getTokenOffset();
    const scanError = scanErrors[scanner.getTokenError()];
    if (scanError) return failure(scanError, offset);
    if (kind >= token.firstTrivia && kind <= token.lastTrivia) continue;
    const end = offset + scanner.getTokenLength();

    switch (kind) {
      case token.end: {
        if (root && open.length === 0) return { ok: true, root };
        const unclosed = open.at(-1);
        if (!unclosed) return failure("jsonNothing", offset);
        return { ok: false, error: { code: "jsonNotClosed", offset, openedAt: unclosed.offset } };
      }
      case token.openBrace:
      case token.openBracket: {
        if (expected !== "value" && expected !== "valueOrEnd") return failure(missing[expected], offset);
        const container: JsonArray | JsonObject =
          kind === token.openBrace
            ? { kind: "object", members: [], offset, end }
            : { kind: "array", items: [], offset, end };
        place(container);
        open.push(container);
        expected = kind === token.openBrace ? "keyOrEnd" : "valueOrEnd";
        break;
      }
      case token.closeBrace:
      case token.closeBracket: {
        const container = open.at(-1);
        const closes = container?.kind === (kind === token.closeBrace ? "object" : "array");
        if (!container || !closes) return failure(container ? "jsonUnexpected" : missing[expected], offset);
        if (expected === "colon" || expected === "value") return failure(missing[expected], offset);
        container.end = end;
        open.pop();
        expected = open.length > 0 ? "commaOrEnd" : "nothing";
        break;
      }
      case token.comma:
        if (expected !== "commaOrEnd") return failure(missing[expected], offset);
        expected = open.at(-1)?.kind === "object" ? "keyOrEnd" : "valueOrEnd";
        break;
      case token.colon:
        if (expected !== "colon") return failure(missing[expected], offset);
        expected = "value";
        break;
      case token.unknown:
        return failure("jsonUnexpected", offset);
      default:
        if (expected === "keyOrEnd" && kind === token.string) {
          key = scanner.getTokenValue();
          keyOffset = offset;
          expected = "colon";
        } else if (expected === "value" || expected === "valueOrEnd") {
          place({ kind: "scalar", value: scalarValue(kind, scanner.getTokenValue()), offset, end });
        } else {
          return failure(missing[expected], offset);
        }
    }
  }
}

function endOfBlanks(text: string, start: number): number {
  let position = start;
  for (; ; position++) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position;
  }
}

const missing: Record<Expectation, JsonSyntaxErrorCode> = {
  value: "jsonValueMissing",
  valueOrEnd: "jsonValueMissing",
  keyOrEnd: "jsonKeyMissing",
  colon: "jsonColonMissing",
  commaOrEnd: "jsonCommaMissing",
  nothing: "jsonTextAfterEnd",
};

function failure(code: JsonSyntaxErrorCode, offset: number): JsonTree {
  return { ok: false, error: { code, offset } };
}

function scalarValue(kind: number, text: string): JsonScalar["value"] {
  if (kind === token.string) return text;
  if (kind === token.number) return Number(text);
  if (kind === token.null) return null;
  return kind === token.true;
}

/** The members that count: for each key the last one, as in JSON.parse. */
export function effectiveMembers(object: JsonObject): Map<string, JsonMember> {
  const members = new Map<string, JsonMember>();
  for (const member of object.members) members.set(member.key, member);
  return members;
}

/** The value that counts under this key. */
export function memberValue(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === "object" ? node.members.findLast((member) => member.key === key)?.value : undefined;
}

/** The value as a short piece of JSON, the same in every language: `"text"`, `5`, `[…]`, `{…}`. */
export function snippetOf(node: JsonNode): string {
  if (node.kind === "object") return node.members.length > 0 ? "{…}" : "{}";
  if (node.kind === "array") return node.items.length > 0 ? "[…]" : "[]";
  if (typeof node.value !== "string") return String(node.value);
  const text = [...node.value.slice(0, 80)].slice(0, 40).join("");
  return JSON.stringify(text === node.value ? text : `${text}…`);
}

/**
 * Whether two trees hold the same values, as JSON.parse would see them. `without` names values of `a` to be left out of the comparison.
 * Without recursion: a deep file must not overflow the stack.
 */
export function sameJsonValue(a: JsonNode, b: JsonNode, without: ReadonlySet<JsonNode> = new Set()): boolean {
  const pairs: [JsonNode, JsonNode][] = [[a, b]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left.kind === "scalar" && right.kind === "scalar") {
      if (!Object.is(left.value, right.value)) return false;
    } else if (left.kind === "array" && right.kind === "array") {
      const items = left.items.filter((item) => !without.has(item));
      if (items.length !== right.items.length) return false;
      for (const [index, item] of items.entries()) pairs.push([item, right.items[index] as JsonNode]);
    } else if (left.kind === "object" && right.kind === "object") {
      const others = effectiveMembers(right);
      let count = 0;
      for (const [key, { value }] of effectiveMembers(left)) {
        if (without.has(value)) continue;
        const other = others.get(key);
        if (!other) return false;
        pairs.push([value, other.value]);
        count++;
      }
      if (count !== others.size) return false;
    } else {
      return false;
    }
  }
  return true;
}
