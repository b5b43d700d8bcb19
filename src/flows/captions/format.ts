import { InputError } from "../../errors.ts";

/** Formats that hold their times, by what a file of each begins with (specification: captions.download, tfmt). */
const beginnings = {
  vtt: /^WEBVTT(?:\s|$)/u,
  scc: /^Scenarist_SCC V/u,
  ttml: /^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:\w+:)?tt[\s>]/u,
  sbv: /^\d+:\d\d:\d\d\.\d{1,3},\d+:\d\d:\d\d\.\d{1,3}\s*$/mu,
  srt: /^(?:\d+\s*\n)?\d+:\d\d:\d\d[,.]\d{1,3}\s+-->\s+\d+:\d\d:\d\d[,.]\d{1,3}/u,
} as const;

export type CaptionFormat = keyof typeof beginnings;

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

/** Far into a comment before the first cue; a beginning that takes longer is none. */
const headBytes = 4096;

/** What the bytes are, whatever the file is called; undefined for what holds no captions. */
export function captionFormatOf(bytes: Uint8Array): CaptionFormat | undefined {
  const text = textOf(bytes.subarray(0, headBytes));
  const names = Object.keys(beginnings) as CaptionFormat[];
  return text === undefined ? undefined : names.find((name) => beginnings[name].test(text));
}

/**
 * The captions of a file, ready to be sent.
 * @throws InputError `captions_empty`, `captions_not_text`, `captions_without_times`
 */
export function captionMedia(
  bytes: Uint8Array,
  name: string,
): { readonly format: CaptionFormat; readonly data: Uint8Array; readonly type: string } {
  const text = textOf(bytes.subarray(0, headBytes));
  if (text === undefined) {
    throw refused(
      "captions_not_text",
      "This holds no text. Give SRT, VTT, SBV, TTML or SCC.",
      name,
    );
  }
  if (text === "") throw refused("captions_empty", "This file is empty. Choose another.", name);
  const format = captionFormatOf(bytes);
  if (format !== undefined) return { format, data: bytes, type: types[format] };
  const hint = "This does not say when each line is shown. Give SRT, VTT, SBV, TTML or SCC.";
  throw refused("captions_without_times", hint, name);
}

function refused(code: string, hint: string, name: string): InputError {
  return new InputError(`a caption file is refused: ${code}`, { code, hint, facts: { name } });
}

/** Undefined for what can be no text. */
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
