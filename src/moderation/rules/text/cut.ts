const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** At most so many UTF-16 units, whole characters only, with an ellipsis where something is left out. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  let kept = "";
  for (const { segment } of segmenter.segment(text.slice(0, most))) {
    if (kept.length + segment.length > most - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
