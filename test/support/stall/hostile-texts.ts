import { hostile } from "../hostile.ts";

/** Characters and words that a parser may stumble over; they are repeated and nested below. */
const seeds: readonly string[] = [
  ..." \t\n-_./:,;|\\/*`\"'<>()[]{}#@%+=~^°→–—",
  ..."aA0９１éßﷺㅤ\u200b\u2028\u0301\u202e\u{1f600}\u{1f1e9}क्षिกำ漢日からまで",
  ...["half an hour ", "in 3 days ", "1 h 2 min ", "tomorrow ", "12:30 ", "2026-12-24 ", "halb "],
  ...["blur ", "red to ", "#ff8800 ", "45° ", "10px ", "5% ", "car: car, ", "1,"],
  ...["http://a.b/", "https://youtu.be/", "a.b.", "www.youtube.com/watch?v=", "PL", "UC", "@"],
  ...["<!---->", "<!-- -->\n", "<a>", "</a>", "<a b='", "&amp;", "00:00:01,000 --> ", "1\n"],
  ...[
    "{a, plural, ",
    "(?:a+)+",
    "a;title=",
    "localizations.aa.title=x;",
    "\\;",
    "/a",
    "[x](",
    "**",
  ],
  ...["nach ", "et ", "und ", "から", "午前", "\ud800", "\u{e0061}", "Z\u0335\u0321\u0358\u035c"],
];

const lengths = [40, 100, 250, 500, 1_000, 2_000, 4_000, 6_000, 10_000, 40_000] as const;

/** A hostile text of any length; the same for the same random numbers. */
export function hostileText(random: () => number, most = 40_000): string {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const length = Math.min(pick(lengths), most);
  const [seed, other, end] = [pick(seeds), pick(seeds), pick(["", "x", "!", "°", "\n", ">", "%"])];
  const shapes = [
    () => seed.repeat(Math.ceil(length / seed.length)),
    () => `a${seed.repeat(Math.ceil(length / seed.length))}${other}`,
    () => `${seed}${other}`.repeat(Math.ceil(length / (seed.length + other.length))),
    () => `${"(".repeat(length / 2)}${seed}${")".repeat(length / 2)}`,
    () => pick(hostile),
    () => Array.from({ length: Math.ceil(length / 12) }, () => pick(hostile)).join(" "),
    () =>
      String.fromCodePoint(...Array.from({ length: 200 }, () => letter(random))).repeat(
        length / 200,
      ),
    () => Array.from({ length: Math.ceil(length / 5) }, () => pick(seeds)).join(""),
  ];
  return `${pick(shapes)()}`.slice(0, length - end.length) + end;
}

/** Any code point except surrogates. */
function letter(random: () => number): number {
  const point = Math.floor(random() * 0x2ffff);
  return point >= 0xd800 && point <= 0xdfff ? 0x4e00 : point;
}
