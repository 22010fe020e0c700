import DOMPurify from "dompurify";

/** Everything that our rendering of markdown produces, and nothing that loads, runs, styles or submits anything. */
const allowedTags = [
  ...["p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a"],
  ...["h3", "table", "thead", "tbody", "tr", "th", "td"],
];

/** The second lock behind the renderer, which lets no HTML of the text through to begin with. */
export function sanitize(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: allowedTags,
    ALLOWED_ATTR: ["href", "title", "align", "start", "class"],
    ALLOWED_URI_REGEXP: /^https?:\/\//i,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
  });
}
