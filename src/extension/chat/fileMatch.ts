/** Globs for the files whose path holds the query, in any case; an empty query matches every file. */
export function fileGlobs(query: string): readonly string[] {
  const wanted = query.trim().replaceAll("\\", "/").replace(/^\/+/, "");
  if (wanted === "") return ["**/*"];
  const pattern = [...wanted].map(anyCase).join("");
  return [`**/*${pattern}*`, `**/*${pattern}*/**`];
}

/** The best first: name begins with the query, name holds it, path holds it; then the shorter path. */
export function rankPaths(paths: readonly string[], query: string): string[] {
  const wanted = query.trim().toLowerCase();
  const rank = (path: string): number => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    if (name.startsWith(wanted)) return 0;
    return name.includes(wanted) ? 1 : 2;
  };
  return [...paths].sort((a, b) => rank(a) - rank(b) || a.length - b.length || (a < b ? -1 : Number(a > b)));
}

function anyCase(character: string): string {
  // VS Code's globs know no escape; a class of one is the way to write a special character.
  if ("*?[]{}!".includes(character)) return character === "]" || character === "!" ? "?" : `[${character}]`;
  const lower = character.toLowerCase();
  const upper = character.toUpperCase();
  return lower !== upper && lower.length === 1 && upper.length === 1 ? `[${lower}${upper}]` : character;
}
