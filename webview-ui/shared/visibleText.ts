// Control characters but for tab and line feed, marks that change the direction of the text, and characters without a width.
// Not in the list: U+200C and U+200D, which scripts and emoji need.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]/g;

/**
 * The text with everything visible that could hide or reorder a part of it: what a person confirms must be what runs.
 * ESC becomes ␛; a carriage return before a line feed is dropped; others become ⟦U+202E⟧.
 */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(hidden, (character) => {
    const code = character.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return `⟦U+${code.toString(16).toUpperCase().padStart(4, "0")}⟧`;
  });
}
