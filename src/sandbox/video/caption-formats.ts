import type { CaptionFileFormat, StoredCaptionTrack, StoredVideo } from "./data/index.ts";

/** One line of captions and when it shows, in milliseconds from the start of the video. */
interface Cue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** `1:02:03.4` and the like, hours and fractions optional, with a comma or a point. */
const clock = /^(?:(\d+):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?$/;

function readClock(text: string): number | undefined {
  const found = clock.exec(text.trim());
  if (found === null) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = found;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Number(fraction.padEnd(3, "0"));
}

/** `01:02:03` and the milliseconds after the given sign. */
function writeClock(time: number, sign: "." | ","): string {
  const seconds = time / 1000;
  const numbers = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  const twoDigits = numbers.map((value) => String(Math.floor(value)).padStart(2, "0"));
  return `${twoDigits.join(":")}${sign}${String(time % 1000).padStart(3, "0")}`;
}

/** What a caption file is, and what it says. */
interface ReadCaptions {
  readonly format: CaptionFileFormat;
  /** Undefined for a format that is stored unchanged. */
  readonly cues: readonly Cue[] | undefined;
}

// What YouTube also takes (https://support.google.com/youtube/answer/2734698); here it comes back as it was uploaded.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the first bytes of a binary format
const binaryFormat = /^...STL\d\d\.01|^CAPT|^\u00ea["\u0010]/s;
const textFormats: readonly RegExp[] = [
  /<sami[\s>]/i,
  /<window[\s>]|<time\s+begin=/i,
  /^FORMAT=/im,
  /^\[\d+:\d\d[\].:]/m,
  /^Lambda/,
  /^\*{1,2} ?(?:Caption Number|T \d)/m,
];

/** Undefined for a file without times, which a plain transcript is. */
export function readCaptions(bytes: Uint8Array): ReadCaptions | undefined {
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n").trim();
  if (text.startsWith("Scenarist_SCC")) return { format: "scc", cues: undefined };
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  if (binaryFormat.test(head) || textFormats.some((mark) => mark.test(text))) {
    return { format: "other", cues: undefined };
  }
  for (const format of timedFormats) {
    const cues = readCues(text, format);
    if (cues.length > 0) return { format, cues };
  }
  return undefined;
}

/** Undefined when there is no way to write the format. */
export function writeCaptions(
  cues: readonly Cue[],
  format: CaptionFileFormat,
): Uint8Array | undefined {
  if (format === "scc" || format === "other") return undefined;
  const lines = cues.map(({ start, end, text }, index) => {
    const sign = format === "srt" ? "," : ".";
    const [from, until] = [writeClock(start, sign), writeClock(end, sign)];
    if (format === "ttml") {
      const escaped = entities.reduce(
        (all, [letter, entity]) => all.replaceAll(letter, entity),
        text,
      );
      return `      <p begin="${from}" end="${until}">${escaped.replaceAll("\n", "<br/>")}</p>`;
    }
    const number = format === "srt" ? `${index + 1}\n` : "";
    const times =
      format === "sbv" ? `${from},${until}`.replace(/(^|,)0/g, "$1") : `${from} --> ${until}`;
    return `${number}${times}\n${text}\n`;
  });
  if (format === "vtt") lines.unshift("WEBVTT\n");
  if (format === "ttml") {
    lines.unshift(
      '<?xml version="1.0" encoding="utf-8"?>',
      '<tt xmlns="http://www.w3.org/ns/ttml">',
      "  <body>",
      "    <div>",
    );
    lines.push("    </div>", "  </body>", "</tt>", "");
  }
  return new TextEncoder().encode(lines.join("\n"));
}

const entities = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
] as const;

const lineMs = 3_500;
const maxLines = 40;

/** The captions of a generated video: its title and description, spread over its length. */
export function writeScript(video: StoredVideo, { trackKind }: StoredCaptionTrack): readonly Cue[] {
  const words = `${video.title}. ${video.description}`.replace(/\s+/g, " ").split(" ");
  const count = Math.max(1, Math.min(maxLines, Math.floor((video.seconds * 1000) / lineMs)));
  return Array.from({ length: count }, (_, index) => {
    const line = Array.from({ length: 6 }, (_, word) => words[(index * 6 + word) % words.length]);
    const text = line.join(" ");
    const start = index * lineMs;
    // Captions that YouTube made by itself have neither capitals nor punctuation.
    const spoken = trackKind === "ASR" ? text.toLowerCase().replace(/[.,!?:]/g, "") : text;
    return { start, end: start + lineMs - 200, text: spoken };
  });
}

const timedFormats = ["srt", "vtt", "sbv", "ttml"] as const;
/** What can be converted into each other. */
type TimedFormat = (typeof timedFormats)[number];

const arrow = /^\s*([\d:.,]+)\s*-->\s*([\d:.,]+)/;
const sbvTimes = /^\s*(\d+:\d\d:\d\d\.\d+),(\d+:\d\d:\d\d\.\d+)\s*$/;

/** Nothing when the text is not of the format. */
function readCues(text: string, format: TimedFormat): Cue[] {
  const isVtt = text.startsWith("WEBVTT");
  switch (format) {
    case "srt":
      return isVtt ? [] : readBlocks(text, arrow);
    case "vtt":
      return isVtt ? readBlocks(text, arrow) : [];
    case "sbv":
      return readBlocks(text, sbvTimes);
    // https://www.w3.org/TR/ttml1/ as far as paragraphs with a beginning and an end go.
    case "ttml":
      return /<(?:[\w.-]+:)?tt[\s>]/.test(text) ? readParagraphs(text) : [];
  }
}

/** Blocks of lines with an empty line between them, the first line of each holding the times. */
function readBlocks(text: string, times: RegExp): Cue[] {
  return text.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split("\n");
    const at = lines.findIndex((line) => times.test(line));
    const [, from = "", until = ""] = times.exec(lines[at] ?? "") ?? [];
    const [start, end] = [readClock(from), readClock(until)];
    const rest = lines.slice(at + 1).join("\n");
    const words = rest.trim();
    return start === undefined || end === undefined || words === ""
      ? []
      : [{ start, end, text: words }];
  });
}

const paragraph = /<(?:[\w.-]+:)?p\b([^>]*)>([\s\S]*?)<\/(?:[\w.-]+:)?p>/g;

interface FrameRates {
  readonly frames: number;
  readonly ticks: number;
}

function readParagraphs(text: string): Cue[] {
  const root = /<(?:[\w.-]+:)?tt\s/.exec(text)?.index ?? text.length;
  // 30 frames a second unless the document says otherwise; as many ticks as frames, or one (TTML, 6.2.4 and 6.2.10).
  const timing = readTiming(text.slice(root, text.indexOf(">", root)));
  const { frameRate, frameRateMultiplier = "1 1", tickRate } = timing;
  const [times = 1, per = 1] = frameRateMultiplier.split(/[ :]/).map(Number);
  const frames = (Number(frameRate ?? 30) * times) / per;
  const rates = { frames, ticks: Number(tickRate ?? (frameRate === undefined ? 1 : frames)) };
  return [...text.matchAll(paragraph)].flatMap(([, attributes = "", content = ""]) => {
    const { begin = "", end: until = "", dur = "" } = readTiming(attributes);
    const start = readOffset(begin, rates);
    const end = readOffset(until, rates) ?? (start ?? 0) + (readOffset(dur, rates) ?? 0);
    if (start === undefined || end <= start) return [];
    const plain = content.replace(/<br\s*\/?>/g, "\n").replace(/<[^<>]*>/g, "");
    const words = entities.reduceRight(
      (all, [sign, entity]) => all.replaceAll(entity, sign),
      plain,
    );
    return [{ start, end, text: words.trim() }];
  });
}

const timing =
  /\b(begin|end|dur|frameRate|frameRateMultiplier|tickRate)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The attributes that say when something is shown, by their names without prefix. */
function readTiming(text: string): Readonly<Record<string, string>> {
  const found = text.matchAll(timing);
  return Object.fromEntries([...found].map(([, name, one, other]) => [name, one ?? other]));
}

/** A clock time, with frames or without, or a count with its unit. */
function readOffset(text: string, { frames, ticks }: FrameRates): number | undefined {
  const [, whole, frame] = /^(\d+:\d\d:\d\d):(\d+)$/.exec(text.trim()) ?? [];
  if (whole !== undefined)
    return (readClock(whole) ?? 0) + Math.round(Number(frame) * (1000 / frames));
  const units: Readonly<Record<string, number>> = {
    h: 3_600_000,
    m: 60_000,
    s: 1000,
    ms: 1,
    f: 1000 / frames,
    t: 1000 / ticks,
  };
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)(h|ms|m|s|f|t)$/.exec(text.trim()) ?? [];
  return count === undefined ? readClock(text) : Math.round(Number(count) * (units[unit] ?? 0));
}
