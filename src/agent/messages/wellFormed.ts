const loneSurrogates = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Halves of a character, as a cut in the middle of one leaves them, make services refuse the whole request. */
export function wellFormed(text: string): string {
  return text.replace(loneSurrogates, "\uFFFD");
}

/** The same for every string in a JSON value; the value itself where there is nothing to replace. */
export function wellFormedJson<T>(value: T): T {
  const text = JSON.stringify(value);
  if (text === undefined || !/\\ud[89a-f]/i.test(text)) return value;
  return JSON.parse(text, (_, part: unknown) => (typeof part === "string" ? wellFormed(part) : part)) as T;
}
