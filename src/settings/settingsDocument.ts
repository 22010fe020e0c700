import {
  effectiveMembers,
  type JsonMember,
  type JsonNode,
  type JsonObject,
  parseJsonTree,
  snippetOf,
} from "./jsonTree.ts";
import { LineIndex } from "./lineIndex.ts";
import type { LocatedProblem, SettingsProblem, SettingsProblemCode } from "./settingsProblem.ts";

/** A settings file's text as a tree, with the means to say where something in it is wrong. */
export class SettingsDocument {
  /** Absent where the text is not JSON, or no object: then `problems` says why. */
  readonly root: JsonObject | undefined;
  readonly problems: LocatedProblem[] = [];
  private readonly lines: LineIndex;

  constructor(text: string) {
    this.lines = new LineIndex(text);
    this.root = this.parse(text);
  }

  positionAt(offset: number): { line: number; column: number } {
    return this.lines.positionAt(offset);
  }

  /** Files a problem under its place, and returns it for use elsewhere. */
  report(
    offset: number,
    severity: LocatedProblem["severity"],
    code: SettingsProblemCode,
    params: SettingsProblem["params"] = {},
  ): SettingsProblem {
    this.problems.push({ code, params, severity, ...this.positionAt(offset) });
    return { code, params };
  }

  /** The members that count. Reports keys that stand twice: only the last one counts, and the others are easily overlooked. */
  members(object: JsonObject): Map<string, JsonMember> {
    const members = effectiveMembers(object);
    if (members.size < object.members.length) this.reportRepeatedKeys(object);
    return members;
  }

  reportRepeatedKeys(object: JsonObject): void {
    const seen = new Set<string>();
    for (const { key, offset } of [...object.members].reverse()) {
      if (seen.has(key)) this.report(offset, "warning", "duplicateKey", { key });
      seen.add(key);
    }
  }

  /** The node as true or false; anything else is reported and undefined. */
  booleanSetting(node: JsonNode | undefined, key: string): boolean | undefined {
    if (!node) return undefined;
    if (node.kind === "scalar" && typeof node.value === "boolean") return node.value;
    this.report(node.offset, "warning", "settingNotBoolean", { key, found: snippetOf(node) });
    return undefined;
  }

  private parse(text: string): JsonObject | undefined {
    if (text.trim() === "") {
      this.report(0, "warning", "fileEmpty");
      return undefined;
    }
    const tree = parseJsonTree(text);
    if (!tree.ok) {
      const { code, offset, openedAt } = tree.error;
      this.report(offset, "error", code, openedAt === undefined ? {} : this.positionAt(openedAt));
      return undefined;
    }
    if (tree.root.kind !== "object") {
      this.report(tree.root.offset, "error", "notAnObject", { found: snippetOf(tree.root) });
      return undefined;
    }
    return tree.root;
  }
}
