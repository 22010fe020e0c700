/** At most about `limit` UTF-16 units: beginning and end stay, what is left out is said. Never cuts a character in two. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = characterBorder(text, Math.floor(limit * 0.7));
  const tail = characterBorder(text, text.length - Math.floor(limit * 0.3));
  return `${text.slice(0, head)}\n\n[… ${tail - head} characters left out …]\n\n${text.slice(tail)}`;
}

function characterBorder(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
}
