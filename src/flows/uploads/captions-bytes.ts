import { InputError } from "../../errors.ts";
import { isText } from "./video-bytes.ts";

/** What each format of captions begins with or holds; formats of the service (facts: captions). */
const marks: readonly RegExp[] = [
  /^WEBVTT/u,
  /^Scenarist_SCC/u,
  /<tt[\s:>]/u,
  /^\[Script Info\]|^\[INFORMATION\]|^\{\d+\}\{\d+\}|<SAMI>/iu,
  // SRT, VTT and SBV: times with an arrow or a comma between them.
  /\d:\d\d[.,:]\d{2,3}\s*(?:-->|,)\s*\d+:\d\d/u,
];

const headBytes = 16_384;

/** @throws InputError `captions_empty`, `captions_not_text`, `captions_without_times` */
export function judgeCaptions(bytes: Uint8Array, name: string): void {
  const head = bytes.subarray(0, headBytes);
  const text = new TextDecoder().decode(head).trimStart();
  if (text === "") throw refused("captions_empty", "The captions file is empty.", name);
  if (!isText(head)) {
    throw refused("captions_not_text", "The captions file holds no text.", name);
  }
  if (marks.some((mark) => mark.test(text))) return;
  const hint = "The captions file has no times. Give SRT, VTT, SBV or TTML.";
  throw refused("captions_without_times", hint, name);
}

function refused(code: string, hint: string, name: string): InputError {
  return new InputError(hint, { code, hint, facts: { name } });
}
