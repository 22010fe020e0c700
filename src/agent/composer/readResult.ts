/**
 * The file's own text from what the Read tool shows of it: numbered lines; "" for an empty file. Undefined where the tool
 * did not show all of it: such a text must not be the base of a change.
 */
export function textOfReadResult(result: string): string | undefined {
  const lines = result.split("\n");
  const numbered = lines.filter((line) => /^\s*\d+\t/.test(line));
  if (
    numbered.some((line) => line.endsWith("… [line cut]")) ||
    /^\[Lines \d+ to \d+/.test(lines.at(-1) ?? "")
  )
    return undefined;
  return numbered.map((line) => line.replace(/^\s*\d+\t/, "")).join("\n");
}
