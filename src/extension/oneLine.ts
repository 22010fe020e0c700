/** Text for one line of a list, a prompt or a notification: no line breaks, control or direction marks; cut at `limit` characters. */
export function oneLine(text: string, limit: number): string {
  // A command may have 100 KB: what cannot be shown is not looked at. A character has at most two code units.
  const start = text.slice(0, limit * 4);
  const flat = start.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu, " ").trim();
  const characters = [...flat];
  if (characters.length <= limit && start.length === text.length) return flat;
  return `${characters.slice(0, limit).join("")}…`;
}
