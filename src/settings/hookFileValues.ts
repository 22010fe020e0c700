/** Longer delays overflow a timer, which would then fire at once. */
const longestTimeoutMs = 2 ** 31 - 1;

/** A valid timeout of a file, in whole milliseconds that a timer can take. */
export function timeoutMsOf(seconds: number): number {
  return Math.min(Math.max(1, Math.round(seconds * 1000)), longestTimeoutMs);
}

/** A matcher as a problem quotes it. */
export function shortMatcher(matcher: string): string {
  return matcher.length > 100 ? `${matcher.slice(0, 100)}…` : matcher;
}
