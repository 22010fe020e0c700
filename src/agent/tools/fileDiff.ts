import { structuredPatch } from "diff";

export interface FileDiff {
  /** Claude Code's `structuredPatch`. */
  hunks: readonly {
    oldStart: number;
    oldLines: number;
    newStart: number;
    newLines: number;
    lines: string[];
  }[];
  /** Unified diff for people, bounded. */
  text: string;
}

const longestDiff = 60_000;
/** Two large texts without anything in common would be compared for minutes. */
const timeLimitMs = 300;

export function diffTexts(file: string, before: string, after: string): FileDiff {
  const patch = structuredPatch(file, file, before, after, "", "", { context: 3, timeout: timeLimitMs });
  if (!patch)
    return { hunks: [], text: `${file}: the whole content changes; the difference is too large to show.` };
  const lines: string[] = [];
  let length = 0;
  for (const hunk of patch.hunks) {
    lines.push(`@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`);
    for (const line of hunk.lines) {
      length += line.length + 1;
      if (length > longestDiff) return { hunks: [], text: `${lines.join("\n")}\n[… the rest is left out …]` };
      lines.push(line);
    }
  }
  return { hunks: patch.hunks, text: lines.join("\n") };
}
