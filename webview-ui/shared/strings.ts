/**
 * The texts of the page in the user's language: the host puts them as JSON into `<script type="application/json" id="strings">`.
 * A missing text falls back to English, so that no label is ever blank.
 */
export function readStrings<Key extends string>(defaults: Record<Key, string>): Record<Key, string> {
  const text = document.getElementById("strings")?.textContent;
  const given: unknown = text ? JSON.parse(text) : {};
  return { ...defaults, ...(given as Partial<Record<Key, string>>) };
}

/** The language of the page, for dates and numbers. */
export function pageLanguage(): string {
  return document.documentElement.lang || "en";
}
