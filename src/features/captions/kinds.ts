/** What a kind is recognised by; one match is enough. */
interface CaptionPattern {
  /** Matches the name of an XML document's outermost element. */
  readonly root?: RegExp;
  readonly text?: readonly RegExp[];
}

/** An arrow between two times, however they are written: `1:02.5-->1:04`, `00:00:01, 000 → 00:00:02:500`. */
const anyCueLine =
  /^[^\S\n]{0,9}[\u200e\u200f\u202a-\u202e\u2066-\u2069]{0,3}(\d{1,3}(?: {0,2}: {0,2}\d{1,2}){1,2}(?: {0,2}[.,:;] {0,2}\d{1,4})?)[^\S\n]{0,9}(?:-{1,3}>|[–—]{1,2}>|→|--&gt;)[^\S\n]{0,9}(\d{1,3}(?: {0,2}: {0,2}\d{1,2}){1,2}(?: {0,2}[.,:;] {0,2}\d{1,4})?)/mu;

/** How the kinds of captions that YouTube takes are recognised (https://support.google.com/youtube/answer/2734698). */
const taken = {
  vtt: { text: [/^webvtt(?:\s|$)/iu] },
  scc: { text: [/^scenarist_scc v/iu] },
  ttml: { root: /^(?:[\w.-]+:)?tt$/iu },
  sami: { text: [/<sami[\s>]/iu] },
  realtext: { root: /^window$/iu, text: [/<time\s+begin\s?=/iu] },
  lambda: { text: [/^lambda[^\n\d]{0,20}v\d/iu] },
  mpsub: { text: [/^format ?= ?(?:time|\d{1,3}(?:\.\d{1,4})?)[^\S\n]{0,9}$/imu] },
  asc: { text: [/^\*{1,2} ?caption number \d|^\*t +\d\d:\d\d:\d\d/imu] },
  sub: {
    text: [
      /^\[(?:begin|information|title)\]/iu,
      /^\d\d:\d\d:\d\d\.\d\d,\d\d:\d\d:\d\d\.\d\d[^\S\n]{0,9}$/mu,
    ],
  },
  srt: { text: [anyCueLine] },
  sbv: {
    text: [/^\d{1,3}:\d\d:\d\d\.\d{1,3} {0,3}, {0,3}\d{1,3}:\d\d:\d\d\.\d{1,3}[^\S\n]{0,9}$/mu],
  },
  lrc: { text: [/^\[\d{1,3}:\d\d(?:[.:]\d{1,3})?\]/mu] },
} as const satisfies Record<string, CaptionPattern>;

/** Kinds that aren't text, by their first bytes. */
const unread = {
  stl: /^[\s\S]{3}STL\d\d\.01/u,
  nci: /^CAPT/u,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: such files begin with it
  cheetah: /^\u00ea[\u0010"]/u,
} as const;

/** Kinds that only the file's name tells. */
export const unreadExtensions = ["cap", "cin", "tds"] as const;

export type TextCaptionKind = keyof typeof taken;
export type CaptionKind = TextCaptionKind | keyof typeof unread | (typeof unreadExtensions)[number];

/** For downloads: https://developers.google.com/youtube/v3/docs/captions/download#tfmt */
export const captionFormats = ["srt", "vtt", "sbv", "ttml", "scc"] as const satisfies CaptionKind[];
export type CaptionFormat = (typeof captionFormats)[number];

/** Proper names, which are the same in all languages. Those of formats for downloads are in the messages. */
export const captionKindNames = {
  sami: "SAMI (.smi)",
  realtext: "RealText (.rt)",
  lambda: "Videotron Lambda (.cap)",
  mpsub: "MPSub (.mpsub)",
  asc: "Cheetah (.asc)",
  sub: "SubViewer (.sub)",
  lrc: "LRC (.lrc)",
  stl: "EBU STL (.stl)",
  nci: "NCI (.cap)",
  cheetah: "Cheetah (.cap)",
  cap: "CAP (.cap)",
  cin: "Captions Inc. (.cin)",
  tds: "Caption Center (.tds)",
} as const satisfies Record<Exclude<CaptionKind, CaptionFormat>, string>;

/** How the name of a file of the kind ends. */
export function fileEnding(kind: CaptionKind): string {
  const name =
    kind in captionKindNames ? captionKindNames[kind as keyof typeof captionKindNames] : "";
  return /\.(\w{1,9})\)$/u.exec(name)?.[1] ?? kind;
}

/** Kinds that YouTube does not take, by the names that people know. */
const refused: readonly (readonly [string, CaptionPattern])[] = [
  [
    "Advanced SubStation Alpha (.ass)",
    { text: [/^\[script info\]|^\[v4\+? styles\]|^dialogue: ?\S/imu] },
  ],
  ["MicroDVD (.sub)", { text: [/^\{\d{1,9}\}\{\d{0,9}\}/mu] }],
  ["MPL2 (.mpl)", { text: [/^\[\d{1,9}\]\[\d{0,9}\]/mu] }],
  [
    "Spruce STL (.stl)",
    { text: [/^\s{0,9}\d\d:\d\d:\d\d[:;.]\d\d\s?,\s?\d\d:\d\d:\d\d[:;.]\d\d\s?,/mu] },
  ],
  ["VobSub (.idx)", { text: [/^# VobSub index/iu] }],
  ["QuickTime text (.txt)", { text: [/^\{QTtext\}/iu] }],
  ["Universal Subtitle Format (.usf)", { root: /^usfsubtitles$/iu }],
];

/** Documents in which captions of any kind may stand, which then aren't captions themselves. */
const wrappers: readonly (readonly [string, CaptionPattern])[] = [
  ["RTF", { text: [/^\{\\rtf\d/u] }],
  ["HTML", { root: /^html$/iu }],
];

/** YouTube's own formats for players, which it does not take back. */
const ofPlayers = [
  ["srv3", { text: [/<timedtext[^<>]{0,99}format="3"/iu] }],
  ["srv2", { root: /^timedtext$/iu }],
  ["srv1", { root: /^(?:transcript|transcript_list)$/iu }],
  ["json3", { text: [/^\{\s{0,99}"(?:wireMagic|events|pens)"/u] }],
] as const satisfies readonly (readonly [string, CaptionPattern])[];

/** What a text is: captions of a kind that YouTube takes, or of one that it refuses; undefined for others. */
export function recogniseCaptions(
  text: string,
):
  | { readonly kind: TextCaptionKind }
  | { readonly refused: string; readonly isOfPlayer: boolean }
  | undefined {
  const player = ofPlayers.find(([, pattern]) => matches(text, pattern));
  if (player !== undefined) return { refused: player[0], isOfPlayer: true };
  const kinds = /^\[script info\]/iu.test(text) ? [] : (Object.keys(taken) as TextCaptionKind[]);
  const first = kinds.find((kind) => matches(text, taken[kind]));
  const wrapper = first && wrappers.find(([, pattern]) => matches(text, pattern));
  if (wrapper !== undefined) return { refused: wrapper[0], isOfPlayer: false };
  if (first !== undefined) return { kind: first };
  const other = refused.find(([, pattern]) => matches(text, pattern));
  return other && { refused: other[0], isOfPlayer: false };
}

function matches(text: string, { root, text: patterns = [] }: CaptionPattern): boolean {
  return root?.test(readRootName(text)) || patterns.some((pattern) => pattern.test(text));
}

/** Each byte of the head is a character of that number. */
export function recogniseHead(head: string): keyof typeof unread | undefined {
  return (Object.keys(unread) as (keyof typeof unread)[]).find((kind) => unread[kind].test(head));
}

/** Whether anything in it could say when a line is shown. */
export function mentionsTimes(text: string): boolean {
  return /\d\s?-->|\p{Nd}[:：]\p{Nd}{2}|\b(?:begin|start|end|time|t|dur)\s?=\s?["']?\d|[[{]\d{1,9}[\]}]|\d[smf]\b/iu.test(
    text,
  );
}

/** Whether captions of a kind say when a line is shown. Kinds that are recognised by their times do. */
export function hasTimes(text: string, kind: TextCaptionKind): boolean {
  if (kind === "vtt") return text.includes("-->");
  if (kind === "ttml") return /\s(?:begin|end|dur)\s{0,9}=/u.test(text);
  return kind !== "sami" || /<sync\s[^<>]{0,99}\bstart\b/iu.test(text);
}

/** The arrow, and what editors and web pages make of it. */
const anyArrow = /-{1,3}>|[–—]{1,2}>|→|--&gt;/gu;

/** How a line with times is in each of the formats that have such lines, and what its fraction begins with. */
const cueLines = {
  srt: {
    good: /^\d{2,3}:\d\d:\d\d[,.]\d{3} --> \d{2,3}:\d\d:\d\d[,.]\d{3}(?:\s|$)/u,
    point: ",",
  },
  vtt: {
    good: /^(?:\d{2,4}:)?\d\d:\d\d\.\d{3}[ \t]{1,9}-->[ \t]{1,9}(?:\d{2,4}:)?\d\d:\d\d\.\d{3}(?:\s|$)/u,
    point: ".",
  },
} as const;

/** SubRip or WebVTT with its times as the format wants them. Only lines with an arrow are looked at: there may be millions of others. */
export function repairCueLines(text: string, kind: keyof typeof cueLines): string {
  const parts: string[] = [];
  let done = 0;
  for (const { index: arrow } of text.matchAll(anyArrow)) {
    if (arrow < done) continue;
    const start = Math.max(done, text.lastIndexOf("\n", arrow) + 1);
    const lineEnd = text.indexOf("\n", arrow);
    const end = lineEnd === -1 ? text.length : lineEnd;
    parts.push(text.slice(done, start), repairCueLine(text.slice(start, end), kind));
    done = end;
  }
  return parts.join("") + text.slice(done);
}

function repairCueLine(line: string, kind: keyof typeof cueLines): string {
  const { good, point } = cueLines[kind];
  if (good.test(line)) return line;
  const [whole, start, end] = anyCueLine.exec(line) ?? [];
  if (whole === undefined || start === undefined || end === undefined) return line;
  return `${cueTime(start, point)} --> ${cueTime(end, point)}${line.slice(whole.length)}`;
}

function cueTime(text: string, point: string): string {
  const numbers = text.replaceAll(" ", "").split(/[.,:;]/u);
  const hasFraction = /[.,;]/u.test(text) || numbers.length === 4;
  const fraction = hasFraction ? (numbers.pop() ?? "") : "";
  const [seconds = "0", minutes = "0", hours = "0"] = numbers.toReversed();
  const clock = [hours, minutes, seconds].map((number) => number.padStart(2, "0")).join(":");
  return `${clock}${point}${fraction.padEnd(3, "0").slice(0, 3)}`;
}

/**
 * The name of the document's element; "" if it is no XML. Declarations, comments, processing instructions and the
 * document type before it are skipped by position: an expression that skips comments would try every way to split them.
 */
function readRootName(text: string): string {
  let at = 0;
  while (text.startsWith("<?", at) || text.startsWith("<!", at)) at = afterMarkup(text, at);
  const [, name = ""] = /^<([\w.:-]{1,99})/u.exec(text.slice(at, at + 100)) ?? [];
  return name;
}

function afterMarkup(text: string, at: number): number {
  if (text.startsWith("<!--", at)) return after(text, "-->", at + "<!--".length);
  if (text.startsWith("<?", at)) return after(text, "?>", at);
  return after(text, ">", endOfDocumentType(text, at));
}

/** Where the document type's own end is: names in quotes may hold any sign, and declarations have ends of their own. */
function endOfDocumentType(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (sign === ">") return at;
    const closing = sign === "[" ? "]" : sign;
    if (!/["'[]/u.test(sign)) continue;
    const closed = text.indexOf(closing, at + 1);
    if (closed === -1) return text.length;
    at = closed;
  }
  return text.length;
}

/** Where the text continues after an end mark and the blanks behind it. */
function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from);
  if (found === -1) return text.length;
  let at = found + end.length;
  while (/\s/u.test(text[at] ?? "")) at += 1;
  return at;
}
