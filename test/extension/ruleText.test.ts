import { describe, expect, it } from "vitest";
import { RuleTextError, textWithAllowRule } from "../../src/agent/permissions/ruleText.ts";

describe("adding an allow rule to a settings file", () => {
  it("makes a whole file of an empty one", () => {
    expect(textWithAllowRule("", "Write")).toBe(
      '{\n  "permissions": {\n    "allow": [\n      "Write"\n    ]\n  }\n}\n',
    );
  });

  it.each([
    ["{}", { permissions: { allow: ["R"] } }],
    ['{"hooks": {}}', { hooks: {}, permissions: { allow: ["R"] } }],
    ['{"permissions": {"deny": ["X"]}}', { permissions: { deny: ["X"], allow: ["R"] } }],
    ['{"permissions": {"allow": []}}', { permissions: { allow: ["R"] } }],
    ['{"permissions": {"allow": ["A", "B",],},}', { permissions: { allow: ["A", "B", "R"] } }],
  ])("adds it to %s", (text, value) => {
    const changed = textWithAllowRule(text, "R");
    expect(JSON.parse(changed.replace(/,(\s*[\]}])/g, "$1"))).toEqual(value);
  });

  it("keeps comments and layout", () => {
    const text = `{
\t// mine
\t"permissions": {
\t\t"allow": [
\t\t\t"A" // the first
\t\t] // end
\t}
}\r\n`;
    expect(textWithAllowRule(text, "Bash(ls)")).toBe(`{
\t// mine
\t"permissions": {
\t\t"allow": [
\t\t\t"A", // the first
\t\t\t"Bash(ls)"
\t\t] // end
\t}
}\r\n`);
  });

  it("changes nothing where the rule is there", () => {
    const text = '{"permissions": {"allow": ["R"]}}';
    expect(textWithAllowRule(text, "R")).toBe(text);
  });

  it.each(["[]", "null", '{"permissions": 1}', '{"permissions": {"allow": "x"}}', '{"a":'])(
    "refuses %s",
    (text) => {
      expect(() => textWithAllowRule(text, "R")).toThrow(RuleTextError);
    },
  );
});
