/** A pattern, up to the next comma, line break or the end; otherwise everything up to there. */
const piece = /[^\S\n]*(\/(?:[^/\\\n]|\\.)+\/)[^\S\n]*(?:[,\n]|$)|[^,\n]+/gu;

/**
 * Words, phrases and patterns between commas or lines, each once; a pattern stands between slashes and may hold commas
 * itself.
 */
export function wantedIn(text: string): readonly string[] {
  const pieces = text.matchAll(piece);
  const wanted = [...pieces].map(([whole, pattern = whole]) => pattern.trim()).filter(Boolean);
  return [...new Set(wanted)];
}
