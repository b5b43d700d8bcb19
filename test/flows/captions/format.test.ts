import { describe, expect, it } from "vitest";
import { detectCaptionFormat } from "../../../src/flows/captions/format.ts";

const formatOf = (text: string) => detectCaptionFormat(Buffer.from(text));

describe("captionFormatOf", () => {
  it.each([
    '<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"></tt>',
    '<?xml version="1.0"?>\n<!-- <b> -->\n<!---->  <tt:tt xml:lang="en">',
    "<!-- a comment alone --><tt>",
  ])("finds the first element behind a declaration and comments: %s", (text) => {
    expect(formatOf(text)).toBe("ttml");
  });

  it.each([
    "<!-- never closed <tt>",
    "<!-- <tt> --> <html>",
    `<?xml ${"<!---->".repeat(200)}`,
    `${"<!-- -->".repeat(500)}<t`,
    `${"<!---->\n".repeat(500)}`,
  ])("takes no other document for one: %s", (text) => {
    expect(formatOf(text)).toBeUndefined();
  });
});
