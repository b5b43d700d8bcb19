/**
 * Words, phrases and patterns between commas or lines, each once; a pattern stands between slashes and may hold commas
 * itself.
 */
export function wantedIn(text: string): readonly string[] {
  const pieces = text.match(/\s*\/(?:[^/\\\n]|\\.)+\/(?=\s*(?:[,\n]|$))|[^,\n]+/gu) ?? [];
  const wanted = pieces.map((piece) => piece.trim()).filter((piece) => piece !== "");
  return [...new Set(wanted)];
}
