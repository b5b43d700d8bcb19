import { parseMarkdown } from "../../src/sandbox/platform/page/markdown/parse.ts";

/** The formatting that has an effect in a text when Discord shows it, and the addresses of its links. */
export type Live = ReturnType<typeof liveIn>;

/** Reads the text as the sandbox's page does. */
export function liveIn(text: string) {
  const kinds = new Set<string>();
  const links: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    if ("type" in part && typeof part.type === "string") kinds.add(part.type);
    if ("url" in part && typeof part.url === "string") links.push(part.url);
    for (const value of Object.values(part)) visit(value);
  };
  visit(parseMarkdown(text));
  return { kinds, links };
}

const formatted: ReadonlySet<string> = new Set(["content", "title", "description", "value"]);

/** The texts of a message body that Discord formats. */
export function formattedTexts(body: unknown): readonly string[] {
  const found: string[] = [];
  const visit = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [name, value] of Object.entries(part)) {
      // Labels of choices and buttons are not formatted.
      const isFormatted = !("label" in part) && formatted.has(name);
      if (typeof value === "string" && isFormatted) found.push(value);
      else visit(value);
    }
  };
  visit(body);
  return found;
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Whether a shortened text is the beginning of its source and does not end within a character. */
export function isWhole(shown: string, source: string): boolean {
  const kept = shown.endsWith("…") ? shown.slice(0, -1) : shown;
  const ends = new Set([0]);
  let at = 0;
  for (const { segment } of segmenter.segment(source)) {
    at += segment.length;
    ends.add(at);
  }
  return source.startsWith(kept) && ends.has(kept.length);
}
