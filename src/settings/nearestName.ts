/** The name that was probably meant: equal but for case, or at most two typing errors away. */
export function nearestName(written: string, names: readonly string[]): string | undefined {
  if (written.length > 40) return undefined;
  const lowered = written.toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(lowered, name.toLowerCase());
    if (distance <= 2 && distance < Math.min(best?.distance ?? Infinity, name.length / 2))
      best = { name, distance };
  }
  return best?.name;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
