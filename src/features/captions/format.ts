import { setImmediate as nextTurn } from "node:timers/promises";
import { type Facts, InputError } from "../../errors.ts";
import { type DecodedText, declareUtf8, decodeText, hasControls, utf8 } from "./encoding.ts";
import {
  type CaptionKind,
  fileEnding,
  hasTimes,
  mentionsTimes,
  recogniseCaptions,
  recogniseHead,
  repairCueLines,
  unreadExtensions,
} from "./kinds.ts";

/** Enough for a long comment before the first cue. */
const headChars = 65_536;

/** More than the words of the longest streams. What is larger is no captions, and would take long to read. */
const mebibyte = 1024 * 1024;
const maxCaptionBytes = 8 * mebibyte;

export interface CaptionMedia {
  readonly kind: CaptionKind;
  readonly data: Uint8Array;
  readonly type: string;
  /** False for kinds that are sent without a look at their times. */
  readonly isRead: boolean;
  /** Undefined for what was in UTF-8 already, or is no text. */
  readonly converted: ConvertedText | undefined;
}

/** What a text was in, and the line that best shows whether that is right. */
export interface ConvertedText {
  readonly from: string;
  /** Set if another encoding may be meant. */
  readonly isDoubtful: boolean;
  readonly sample: string;
}

interface CaptionFileFacts {
  readonly name: string;
  readonly language: string | undefined;
}

/**
 * The captions of a file as the upload of a call: in UTF-8, with the line ends and times of their kind. What needs no change
 * is sent as it is.
 * @throws InputError `attachment_too_large`, `captions_empty`, `captions_not_text`, `captions_encoding`, `captions_kind`,
 * `captions_unknown`, `captions_without_times`
 */
export async function readCaptionMedia(
  bytes: Uint8Array,
  { name, language }: CaptionFileFacts,
): Promise<CaptionMedia> {
  if (bytes.length > maxCaptionBytes) {
    const facts = { has: Math.ceil(bytes.length / mebibyte), most: maxCaptionBytes / mebibyte };
    throw fileError("attachment_too_large", facts);
  }
  const head = readHead(bytes);
  const isBlank = bytes.every(
    (byte) => byte === 0 || byte === 0x20 || (byte >= 0x09 && byte <= 0x0d),
  );
  if (isBlank) throw fileError("captions_empty", { name });
  const [, extension = ""] = /\.(\w{1,9})$/u.exec(name.toLowerCase()) ?? [];
  const bySignature = recogniseHead(head);
  if (bySignature !== undefined) return unreadMedia(bySignature, bytes);
  const read = await decodeText(bytes, language);
  // A large file is read in steps, between which others have their turn.
  await nextTurn();
  const text = read && standardText(read.text);
  await nextTurn();
  if (text === "") throw fileError("captions_empty", { name });
  const found = text === undefined ? undefined : recogniseCaptions(text.slice(0, headChars));
  if (text !== undefined && read !== undefined && found !== undefined) {
    if ("refused" in found) {
      const { refused: format, isOfPlayer } = found;
      throw fileError("captions_kind", { name, format, player: isOfPlayer ? "yes" : "no" });
    }
    if (!hasTimes(text, found.kind)) throw fileError("captions_without_times", { name });
    return textMedia({ bytes, read, text, kind: found.kind });
  }
  const byName = unreadExtensions.find((each) => each === extension);
  const isText = text !== undefined && !hasControls(text);
  const mayBe = byName !== undefined && (!isText || mentionsTimes(text));
  if (mayBe && !(await isOtherFile(bytes))) return unreadMedia(byName, bytes);
  if (isText)
    throw fileError(mentionsTimes(text) ? "captions_unknown" : "captions_without_times", { name });
  // ISO-2022-KR, which no runtime reads: https://encoding.spec.whatwg.org/#replacement
  const hasShifts = head.includes("\u001b$)C");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text has none of these
  const isBinary = text !== undefined || (!hasShifts && /[\u0000-\u0008\u000e-\u0019]/u.test(head));
  throw fileError(isBinary ? "captions_not_text" : "captions_encoding", { name });
}

/** How a file that YouTube sent is to be named; "txt" for what is no captions of a known kind. */
export async function findCaptionEnding(bytes: Uint8Array): Promise<string> {
  const signature = recogniseHead(readHead(bytes));
  if (signature !== undefined) return fileEnding(signature);
  const { text = "" } = (await decodeText(bytes, undefined)) ?? {};
  const found = recogniseCaptions(standardText(text).slice(0, headChars));
  return found !== undefined && "kind" in found ? fileEnding(found.kind) : "txt";
}

/** Each of the first bytes as the character of its number. */
function readHead(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
}

/** A picture, an archive or another file that is no captions, whatever its name. */
async function isOtherFile(bytes: Uint8Array): Promise<boolean> {
  const { fileTypeFromBuffer } = await import("file-type");
  return (await fileTypeFromBuffer(bytes.subarray(0, 4096))) !== undefined;
}

function unreadMedia(kind: CaptionKind, data: Uint8Array): CaptionMedia {
  return { kind, data, type: "application/octet-stream", isRead: false, converted: undefined };
}

/** Line ends as all readers know them, and no zeros, which some editors leave behind. */
function standardText(text: string): string {
  const whole = text.replaceAll("\0", "");
  // Runs at once: one by one, millions of them take a second.
  return whole
    .replaceAll("\r\n", "\n")
    .replace(/\r+/gu, (run) => "\n".repeat(run.length))
    .trimStart();
}

const types: Partial<Record<CaptionKind, string>> = {
  vtt: "text/vtt",
  ttml: "application/ttml+xml",
};

interface RecognisedText {
  readonly bytes: Uint8Array;
  readonly read: DecodedText;
  readonly text: string;
  readonly kind: CaptionKind;
}

function textMedia({ bytes, read, text, kind }: RecognisedText): CaptionMedia {
  const type = types[kind] ?? "application/octet-stream";
  const isUtf8 = read.encoding === utf8;
  const sent = repairText(text, kind);
  // WebVTT begins with its name.
  const isBegun = kind !== "vtt" || /^webvtt/iu.test(read.text);
  const isUnchanged = isUtf8 && isBegun && sent === text && !/\0|\r(?:[^\n]|$)/u.test(read.text);
  if (isUnchanged) return { kind, type, data: bytes, isRead: true, converted: undefined };
  const { encoding: from, isDoubtful = false } = read;
  const converted = isUtf8 ? undefined : { from, isDoubtful, sample: pickSample(text) };
  return { kind, type, data: Buffer.from(sent), isRead: true, converted };
}

function repairText(text: string, kind: CaptionKind): string {
  if (kind === "srt") return repairCueLines(text, kind);
  if (kind !== "vtt") return text.startsWith("<") ? declareUtf8(text) : text;
  // Its name in capitals, and an empty line before the first cue, which would be a part of the head.
  const begun = text
    .replace(/^webvtt/iu, "WEBVTT")
    .replace(/^([^\n]{6,999})\n(?=(?:\d{1,6}\n)?[\d:.,\t ]{1,30}-->)/u, "$1\n\n");
  return repairCueLines(begun, kind);
}

const maxSampleChars = 80;
/** Of a long line, what is shown before its first character beyond ASCII. */
const charsBefore = 20;

/** The line with the most characters beyond ASCII, or the first with a letter, without markup; of a long line, a piece. */
function pickSample(text: string): string {
  const lines = text.slice(0, headChars).split("\n");
  let [line, most] = [lines.find((each) => /\p{L}/u.test(each)), 0];
  for (const each of lines) {
    const count = each.match(/[^\p{ASCII}]/gu)?.length ?? 0;
    if (count > most) [line, most] = [each, count];
  }
  const shown = (line ?? "").replace(/<[^<>]{0,200}>/gu, " ").trim();
  if (shown.length <= maxSampleChars) return shown;
  const start = Math.max(0, shown.search(/[^\p{ASCII}]/u) - charsBefore);
  return shown.slice(start, start + maxSampleChars).toWellFormed();
}

function fileError(code: string, facts: Facts): InputError {
  return new InputError(`a caption file is refused: ${code}`, { code, facts });
}
