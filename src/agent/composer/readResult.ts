/** The file's own text from what the Read tool shows of it: numbered lines, a blank result for an empty file. */
export function textOfReadResult(result: string): string {
  const lines = result.split("\n");
  const numbered = lines.filter((line) => /^\s*\d+(?:\t|→)/.test(line));
  if (numbered.length === 0) return /^\s*[{[]/.test(result) ? result : "";
  return numbered.map((line) => line.replace(/^\s*\d+(?:\t|→)/, "")).join("\n");
}
