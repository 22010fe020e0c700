import * as fc from "fast-check";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The content of a settings file, and the lists of hooks in it that have an entry to remove. */
const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.string({ maxLength: 6 }),
  fc.constantFrom("// no comment", "/* none */", '"', "\\", "[", "]", "}", ",", "\u2028", "🚀"),
);
const anyValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.string({ maxLength: 4 }), scalar, { maxKeys: 3, noNullPrototype: true }),
  },
);
const hook: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      { type: fc.constant("command"), command: fc.string(), timeout: fc.nat(), unknown: anyValue },
      { requiredKeys: ["type", "command"], noNullPrototype: true },
    ),
  },
  { weight: 1, arbitrary: anyValue },
);
const group: fc.Arbitrary<Json> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      { matcher: fc.string({ maxLength: 5 }), hooks: fc.array(hook, { maxLength: 4 }), note: anyValue },
      { requiredKeys: ["hooks"], noNullPrototype: true },
    ),
  },
  { weight: 1, arbitrary: anyValue },
);
const events = fc.dictionary(
  fc.constantFrom("Stop", "PreToolUse", "SessionStart", "Unknown", "constructor"),
  fc.oneof({ weight: 5, arbitrary: fc.array(group, { maxLength: 3 }) }, { weight: 1, arbitrary: anyValue }),
  { maxKeys: 3, noNullPrototype: true },
);

export const settingsValue: fc.Arbitrary<{ [key: string]: Json }> = fc
  .tuple(
    fc.dictionary(fc.constantFrom("a", "permissions", "disableAllHooks"), anyValue, {
      maxKeys: 2,
      noNullPrototype: true,
    }),
    events,
    fc.dictionary(fc.constantFrom("b", "model"), anyValue, { maxKeys: 2, noNullPrototype: true }),
  )
  .map(([before, hooks, after]) => ({ ...before, hooks, ...after }));

/** How a text is laid out: what stands between two tokens is drawn from these, again and again from the start. */
export interface Layout {
  lineEnd: string;
  indent: string;
  fillings: readonly number[];
  trailingCommas: readonly boolean[];
}

export const layout: fc.Arbitrary<Layout> = fc.record({
  lineEnd: fc.constantFrom("\n", "\r\n", "\r"),
  indent: fc.constantFrom("", "  ", "    ", "\t"),
  // Most layouts are the usual ones: a line for each entry.
  fillings: fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 60 }),
  trailingCommas: fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }),
});

/** The value as a text with comments, each of them unlike all others (`c1c`, `c2c`), in every place. */
export function writeOut(value: Json, { lineEnd, indent, fillings, trailingCommas }: Layout): string {
  let drawn = 0;
  let comments = 0;
  let lists = 0;
  const filling = (depth: number, usual: string): string => {
    const margin = lineEnd + indent.repeat(depth);
    comments++;
    const name = `c${comments}c`;
    const choices = [
      usual,
      usual,
      "",
      " ",
      margin,
      `${margin}${margin}`,
      ` // ${name}${margin}`,
      ` /* ${name} */ `,
      `${margin}// ${name}${margin}`,
      `${margin}/* ${name}${margin}more */${margin}`,
      ` // ${name}${margin}${margin}// ${name}d${margin}`,
      `\t/*${name}*//*${name}d*/${usual}`,
    ];
    return choices[fillings[drawn++ % fillings.length] ?? 0] ?? usual;
  };
  const entries = (texts: string[], depth: number, [open, close]: [string, string]): string => {
    const newLine = lineEnd + indent.repeat(depth + 1);
    if (texts.length === 0) return open + filling(depth, "") + close;
    const parts = texts.map((text, index) => {
      const isLast = index === texts.length - 1;
      const hasComma = !isLast || (trailingCommas[lists++ % trailingCommas.length] ?? false);
      return filling(depth + 1, newLine) + text + filling(depth + 1, "") + (hasComma ? "," : "");
    });
    return open + parts.join("") + filling(depth, lineEnd + indent.repeat(depth)) + close;
  };
  const write = (item: Json, depth: number): string => {
    if (Array.isArray(item))
      return entries(
        item.map((one) => write(one, depth + 1)),
        depth,
        ["[", "]"],
      );
    if (item === null || typeof item !== "object") return JSON.stringify(item);
    const members = Object.entries(item).map(
      ([key, one]) =>
        `${JSON.stringify(key) + filling(depth + 1, "")}:${filling(depth + 1, " ")}${write(one, depth + 1)}`,
    );
    return entries(members, depth, ["{", "}"]);
  };
  return filling(0, "") + write(value, 0) + filling(0, lineEnd);
}

export interface Removal {
  path: (string | number)[];
  /** The hook, or what it leaves empty. */
  removed: (string | number)[];
  left: Json;
}

/** Every entry that could be aimed at, and what is to be left of the value without it (design.md section 3). */
export function removals(value: { [key: string]: Json }): Removal[] {
  return entriesOf(value.hooks).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((group, groupIndex) =>
      listOf(group).map((_, index) => removal(value, event, groupIndex, index)),
    ),
  );
}

function removal(value: { [key: string]: Json }, event: string, groupIndex: number, index: number): Removal {
  const left = structuredClone(value);
  const events = left.hooks as { [event: string]: Json[] };
  const groups = events[event] as { [key: string]: Json[] }[];
  const group = groups[groupIndex] as { [key: string]: Json[] };
  const path = ["hooks", event, groupIndex, "hooks", index];
  if (listOf(group).length > 1 || Object.hasOwn(group, "note")) {
    group.hooks?.splice(index, 1);
    return { path, removed: path, left };
  }
  if (groups.length > 1) {
    groups.splice(groupIndex, 1);
    return { path, removed: path.slice(0, 3), left };
  }
  delete events[event];
  return { path, removed: path.slice(0, 2), left };
}

function entriesOf(value: Json | undefined): [string, Json][] {
  return isObject(value) ? Object.entries(value) : [];
}

function listOf(group: Json): Json[] {
  return isObject(group) && Array.isArray(group.hooks) ? group.hooks : [];
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
