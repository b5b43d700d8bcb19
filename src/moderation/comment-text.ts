/** The service's own limit of a comment, in UTF-16 units. Folding makes texts longer, and they are cut again after it. */
const longestText = 10_000;

/** The beginning of a text; no character is cut in half. */
export function limitedText(text: string): string {
  if (text.length <= longestText) return text;
  return text.slice(0, longestText).replace(/[\ud800-\udbff]$/, "");
}
