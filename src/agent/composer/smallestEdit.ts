/**
 * The change from one text to another as an Edit call: whole lines, as few as possible, and as many more around them
 * as it takes for the old text to occur once. Undefined where nothing changed or no such text exists.
 */
export function smallestEdit(
  before: string,
  after: string,
): { oldString: string; newString: string } | undefined {
  if (before === after) return undefined;
  const old = before.split("\n");
  const next = after.split("\n");
  let start = 0;
  while (start < Math.min(old.length, next.length) && old[start] === next[start]) start++;
  let kept = 0;
  while (kept < Math.min(old.length, next.length) - start && old.at(-1 - kept) === next.at(-1 - kept)) kept++;

  let from = start;
  let to = old.length - kept;
  if (from === to) from > 0 ? from-- : to++;
  for (;;) {
    const oldString = old.slice(from, to).join("\n");
    const newString = next.slice(from, next.length - (old.length - to)).join("\n");
    if (oldString.trim() !== "" && occursOnce(before, oldString)) return { oldString, newString };
    if (from === 0 && to === old.length) return undefined;
    if (from > 0) from--;
    if (to < old.length) to++;
  }
}

function occursOnce(text: string, part: string): boolean {
  const first = text.indexOf(part);
  return first >= 0 && text.indexOf(part, first + 1) < 0;
}
