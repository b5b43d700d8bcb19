import { type Cue, readClock, writeClock } from "./cues.ts";

/** Reads and writes one format; reading gives nothing when the text is not of it. */
export interface Format {
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

const srt: Format = {
  read: (text) => (text.startsWith("WEBVTT") ? [] : readBlocks(text, arrow)),
  write: (cues) =>
    cues
      .map(({ start, end, text }, index) => {
        return `${index + 1}\n${writeClock(start, ",")} --> ${writeClock(end, ",")}\n${text}\n`;
      })
      .join("\n"),
};

const vtt: Format = {
  read: (text) => (text.startsWith("WEBVTT") ? readBlocks(text, arrow) : []),
  write: (cues) => {
    const blocks = cues.map(
      ({ start, end, text }) => `${writeClock(start, ".")} --> ${writeClock(end, ".")}\n${text}\n`,
    );
    return ["WEBVTT\n", ...blocks].join("\n");
  },
};

const sbv: Format = {
  read: (text) => readBlocks(text, /^\s*(\d+:\d\d:\d\d\.\d+),(\d+:\d\d:\d\d\.\d+)\s*$/),
  write: (cues) =>
    cues
      .map(({ start, end, text }) => {
        const times = [start, end].map((time) => writeClock(time, ".").replace(/^0/, ""));
        return `${times.join(",")}\n${text}\n`;
      })
      .join("\n"),
};

const paragraph = /<(?:\w+:)?p\b([^>]*)>([\s\S]*?)<\/(?:\w+:)?p>/g;

/** https://www.w3.org/TR/ttml1/ as far as paragraphs with a beginning and an end go. */
const ttml: Format = {
  read: (text) =>
    /<(?:\w+:)?tt[\s>]/.test(text)
      ? [...text.matchAll(paragraph)].flatMap(([, attributes = "", content = ""]) => {
          const start = readOffset(attribute(attributes, "begin"));
          const duration = readOffset(attribute(attributes, "dur"));
          const end = readOffset(attribute(attributes, "end")) ?? (start ?? 0) + (duration ?? 0);
          return start === undefined || end <= start
            ? []
            : [{ start, end, text: readMarkup(content) }];
        })
      : [],
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

function attribute(attributes: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
}

/** A clock time, or a count with its unit. */
function readOffset(text: string): number | undefined {
  const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)(h|ms|m|s)$/.exec(text.trim()) ?? [];
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
export const timedText = { srt, vtt, sbv, ttml } as const satisfies Record<string, Format>;
