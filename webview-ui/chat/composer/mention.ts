/** An "@" with what follows it, right before the caret. */
export interface Mention {
  /** Where the "@" stands. */
  start: number;
  query: string;
}

/** The mention that is being typed, if any: an address like ada@example.com is none. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const match = /(?:^|[\s(])@([^\s@]*)$/.exec(text.slice(0, caret));
  if (!match) return undefined;
  const query = match[1] ?? "";
  return { start: caret - query.length - 1, query };
}

/** The text with the path in place of what was typed, and where the caret goes. */
export function insertMention(text: string, mention: Mention, path: string): { text: string; caret: number } {
  const inserted = /\s/.test(path) ? `@"${path}" ` : `@${path} `;
  const end = mention.start + 1 + mention.query.length;
  return {
    text: text.slice(0, mention.start) + inserted + text.slice(end),
    caret: mention.start + inserted.length,
  };
}
