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
  const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
  const seconds = time / 1000;
  const clockTime = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(two).join(":");
  return `${clockTime}${sign}${String(time % 1000).padStart(3, "0")}`;
}

/** What a caption file is, and what it says. */
interface ReadCaptions {
  readonly format: CaptionFileFormat;
  /** Undefined for a format that is stored unchanged. */
  readonly cues: readonly Cue[] | undefined;
}

/** Undefined for a file without times, which a plain transcript is. */
export function readCaptions(bytes: Uint8Array): ReadCaptions | undefined {
  const text = new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n").trim();
  if (text.startsWith("Scenarist_SCC")) return { format: "scc", cues: undefined };
  if (isUnconverted(bytes, text)) return { format: "other", cues: undefined };
  for (const [format, { read }] of Object.entries(timedText)) {
    const cues = read(text);
    if (cues.length > 0) return { format: format as CaptionFileFormat, cues };
  }
  return undefined;
}

/** What YouTube also takes (https://support.google.com/youtube/answer/2734698); here it comes back as it was uploaded. */
const unconverted: readonly RegExp[] = [
  /<sami[\s>]/i,
  /<window[\s>]|<time\s+begin=/i,
  /^FORMAT=/im,
  /^\[\d+:\d\d[\].:]/m,
  /^Lambda/,
  /^\*{1,2} ?(?:Caption Number|T \d)/m,
];

function isUnconverted(bytes: Uint8Array, text: string): boolean {
  const head = Buffer.from(bytes.subarray(0, 16)).toString("latin1");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the first bytes of a binary format
  const isBinary = /^...STL\d\d\.01|^CAPT|^\u00ea["\u0010]/s.test(head);
  return isBinary || unconverted.some((mark) => mark.test(text));
}

/** Undefined when there is no way to write the format. */
export function writeCaptions(
  cues: readonly Cue[],
  format: CaptionFileFormat,
): Uint8Array | undefined {
  if (format === "scc" || format === "other") return undefined;
  return new TextEncoder().encode(timedText[format].write(cues));
}

/** Nothing is really translated: each line says which language it would be in. */
export function translateCues(cues: readonly Cue[], language: string): readonly Cue[] {
  return cues.map((cue) => ({ ...cue, text: `[${language}] ${cue.text}` }));
}

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
    // Captions that the service made by itself have neither capitals nor punctuation.
    const spoken = trackKind === "ASR" ? text.toLowerCase().replace(/[.,!?:]/g, "") : text;
    return { start, end: start + lineMs - 200, text: spoken };
  });
}

/** Reads and writes one format; reading gives nothing when the text is not of it. */
interface CaptionCodec {
  readonly read: (text: string) => Cue[];
  readonly write: (cues: readonly Cue[]) => string;
}

/** Blocks of lines with an empty line between them, the first line of each holding the times. */
function readBlocks(text: string, times: RegExp): Cue[] {
  return text.split(/\n{2,}/).flatMap((block) => {
    const lines = block.split("\n");
    const at = lines.findIndex((line) => times.test(line));
    const found = times.exec(lines[at] ?? "");
    const [start, end] = [readClock(found?.[1] ?? ""), readClock(found?.[2] ?? "")];
    const words = lines
      .slice(at + 1)
      .join("\n")
      .trim();
    return start === undefined || end === undefined || words === ""
      ? []
      : [{ start, end, text: words }];
  });
}

const arrow = /^\s*([\d:.,]+)\s*-->\s*([\d:.,]+)/;

const srt: CaptionCodec = {
  read: (text) => (text.startsWith("WEBVTT") ? [] : readBlocks(text, arrow)),
  write: (cues) =>
    cues
      .map(({ start, end, text }, index) => {
        return `${index + 1}\n${writeClock(start, ",")} --> ${writeClock(end, ",")}\n${text}\n`;
      })
      .join("\n"),
};

const vtt: CaptionCodec = {
  read: (text) => (text.startsWith("WEBVTT") ? readBlocks(text, arrow) : []),
  write: (cues) => {
    const blocks = cues.map(
      ({ start, end, text }) => `${writeClock(start, ".")} --> ${writeClock(end, ".")}\n${text}\n`,
    );
    return ["WEBVTT\n", ...blocks].join("\n");
  },
};

const sbv: CaptionCodec = {
  read: (text) => readBlocks(text, /^\s*(\d+:\d\d:\d\d\.\d+),(\d+:\d\d:\d\d\.\d+)\s*$/),
  write: (cues) =>
    cues
      .map(({ start, end, text }) => {
        const times = [start, end].map((time) => writeClock(time, ".").replace(/^0/, ""));
        return `${times.join(",")}\n${text}\n`;
      })
      .join("\n"),
};

const paragraph = /<(?:[\w.-]+:)?p\b([^>]*)>([\s\S]*?)<\/(?:[\w.-]+:)?p>/g;

/** https://www.w3.org/TR/ttml1/ as far as paragraphs with a beginning and an end go. */
const ttml: CaptionCodec = {
  read: (text) => (/<(?:[\w.-]+:)?tt[\s>]/.test(text) ? readParagraphs(text) : []),
  write: (cues) => {
    const lines = cues.map(({ start, end, text }) => {
      const [begin, until] = [writeClock(start, "."), writeClock(end, ".")];
      return `      <p begin="${begin}" end="${until}">${writeMarkup(text)}</p>`;
    });
    return [
      '<?xml version="1.0" encoding="utf-8"?>',
      '<tt xmlns="http://www.w3.org/ns/ttml">',
      "  <body>",
      "    <div>",
      ...lines,
      "    </div>",
      "  </body>",
      "</tt>",
      "",
    ].join("\n");
  },
};

interface FrameRates {
  readonly frames: number;
  readonly ticks: number;
}

function readParagraphs(text: string): Cue[] {
  const root = /<(?:[\w.-]+:)?tt\s/.exec(text)?.index ?? text.length;
  const rates = readRates(readAttributes(text.slice(root, text.indexOf(">", root))));
  return [...text.matchAll(paragraph)].flatMap(([, attributes = "", content = ""]) => {
    const { begin = "", end: until = "", dur = "" } = readAttributes(attributes);
    const start = readOffset(begin, rates);
    const end = readOffset(until, rates) ?? (start ?? 0) + (readOffset(dur, rates) ?? 0);
    return start === undefined || end <= start ? [] : [{ start, end, text: readMarkup(content) }];
  });
}

const timing = /\b(begin|end|dur|frameRate|frameRateMultiplier|tickRate)\s*=\s*(["'])/g;

/** The attributes that say when something is shown, by their names without prefix. */
function readAttributes(text: string): Readonly<Record<string, string>> {
  const found = [...text.matchAll(timing)].map(
    ({ 0: head, 1: name = "", 2: quote = "", index }) => {
      const from = index + head.length;
      return [name, text.slice(from, text.indexOf(quote, from))];
    },
  );
  return Object.fromEntries(found);
}

/** 30 frames a second unless the document says otherwise; as many ticks as frames, or one (TTML, 6.2.4 and 6.2.10). */
function readRates(root: Readonly<Record<string, string>>): FrameRates {
  const { frameRate, frameRateMultiplier = "1 1", tickRate } = root;
  const [times = 1, per = 1] = frameRateMultiplier.split(/[ :]/).map(Number);
  const frames = (Number(frameRate ?? 30) * times) / per;
  return { frames, ticks: Number(tickRate ?? (frameRate === undefined ? 1 : frames)) };
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

const entities: readonly (readonly [string, string])[] = [
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
];

function writeMarkup(text: string): string {
  const escaped = entities.reduce((all, [sign, entity]) => all.replaceAll(sign, entity), text);
  return escaped.replaceAll("\n", "<br/>");
}

function readMarkup(text: string): string {
  const plain = text.replace(/<br\s*\/?>/g, "\n").replace(/<[^<>]*>/g, "");
  return entities.reduceRight((all, [sign, entity]) => all.replaceAll(entity, sign), plain).trim();
}

/** What can be converted into each other. */
const timedText = { srt, vtt, sbv, ttml } as const satisfies Record<string, CaptionCodec>;
