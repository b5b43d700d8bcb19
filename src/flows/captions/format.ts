import { InputError } from "../../errors.ts";

/** The formats with times, and how a file of each begins (specification: captions.download, tfmt). */
const recognizers = {
  vtt: (text) => /^WEBVTT(?:\s|$)/u.test(text),
  scc: (text) => text.startsWith("Scenarist_SCC V"),
  ttml: (text) => /^<(?:\w+:)?tt[\s>]/u.test(withoutProlog(text)),
  sbv: (text) => /^\d+:\d\d:\d\d\.\d{1,3},\d+:\d\d:\d\d\.\d{1,3}[^\S\n]*$/mu.test(text),
  srt: (text) =>
    /^(?:\d+\s*\n)?\d+:\d\d:\d\d[,.]\d{1,3}\s+-->\s+\d+:\d\d:\d\d[,.]\d{1,3}/u.test(text),
} as const satisfies Record<string, (text: string) => boolean>;

export type CaptionFormat = keyof typeof recognizers;

export const captionFormats = [
  "srt",
  "vtt",
  "sbv",
  "ttml",
  "scc",
] as const satisfies CaptionFormat[];

const types = {
  vtt: "text/vtt",
  ttml: "application/ttml+xml",
  srt: "application/octet-stream",
  sbv: "application/octet-stream",
  scc: "application/octet-stream",
} as const satisfies Record<CaptionFormat, string>;

/** Enough for a long comment before the first cue. */
const headBytes = 4096;

/** The format of the bytes, whatever the file's name; undefined if they are no captions. */
export function detectCaptionFormat(bytes: Uint8Array): CaptionFormat | undefined {
  const text = textOf(bytes.subarray(0, headBytes));
  const names = Object.keys(recognizers) as CaptionFormat[];
  return text === undefined ? undefined : names.find((name) => recognizers[name](text));
}

/**
 * What comes after the XML declaration and the comments before the first element. Read by position: a regular
 * expression that skips comments would try every way to split them.
 */
function withoutProlog(text: string): string {
  let at = text.startsWith("<?xml") ? elementAfter(text, ">", 0) : 0;
  while (text.startsWith("<!--", at)) at = elementAfter(text, "-->", at + "<!--".length);
  return text.slice(at);
}

/** Where the text continues after an end mark and the spaces behind it. */
function elementAfter(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  if (found === -1) return text.length;
  const behind = found + end.length;
  const [blanks = ""] = /^\s*/u.exec(text.slice(behind)) ?? [];
  return behind + blanks.length;
}

/**
 * The captions of a file as the upload of a call.
 * @throws InputError `captions_empty`, `captions_not_text`, `captions_without_times`
 */
export function readCaptionMedia(
  bytes: Uint8Array,
  name: string,
): { readonly format: CaptionFormat; readonly data: Uint8Array; readonly type: string } {
  const text = textOf(bytes.subarray(0, headBytes));
  if (text === undefined) throw refusal("captions_not_text", name);
  if (text === "") throw refusal("captions_empty", name);
  const format = detectCaptionFormat(bytes);
  if (format !== undefined) return { format, data: bytes, type: types[format] };
  throw refusal("captions_without_times", name);
}

function refusal(code: string, name: string): InputError {
  return new InputError(`a caption file is refused: ${code}`, { code, facts: { name } });
}

/** Undefined if the bytes are no text. */
function textOf(head: Uint8Array): string | undefined {
  const [first, second] = head;
  const wide =
    first === 0xff && second === 0xfe
      ? "utf-16le"
      : first === 0xfe && second === 0xff
        ? "utf-16be"
        : undefined;
  // Old files are in one of many encodings; digits and arrows are the same in all of them.
  const text = new TextDecoder(wide ?? "utf-8").decode(head);
  if (text.includes("\0")) return undefined;
  return text.replaceAll("\r\n", "\n").trimStart();
}
