import { applyPatch, parsePatch, reversePatch, type StructuredPatch } from "diff";

export interface DiffSides {
  before: string;
  after: string;
}

/**
 * Both sides of a change for a diff editor, from its unified diff and the file as it is now.
 * `state`: whether the file already has the change. Where the diff does not fit the file (it changed since, or the diff was
 * cut), the sides hold the changed places alone.
 */
export function diffSides(diff: string, fileText: string, state: "pending" | "done"): DiffSides {
  const patch = parsedPatch(diff);
  if (!patch) return { before: fileText, after: fileText };
  const other = applyPatch(fileText, state === "done" ? reversePatch(patch) : patch);
  if (other === false) return hunkSides(patch);
  return state === "done" ? { before: other, after: fileText } : { before: fileText, after: other };
}

function parsedPatch(diff: string): StructuredPatch | undefined {
  try {
    const [patch] = parsePatch(diff);
    return patch && patch.hunks.length > 0 ? patch : undefined;
  } catch {
    // A diff that was cut in the middle of a hunk is no valid patch.
    return undefined;
  }
}

function hunkSides(patch: StructuredPatch): DiffSides {
  const side = (sign: "-" | "+"): string =>
    patch.hunks
      .map((hunk) =>
        hunk.lines
          .filter((line) => line.startsWith(" ") || line.startsWith(sign))
          .map((line) => `${line.slice(1)}\n`)
          .join(""),
      )
      .join("⋯\n");
  return { before: side("-"), after: side("+") };
}
