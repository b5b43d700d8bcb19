import { graphemes, isBlank, type Markup, oneLine, rightToLeft, visible } from "./text.ts";

/** For titles and labels of links, where Discord shows backslashes: docs/services/discord.md#labels-and-titles */

/** For signs that mean something; the fonts of phones and computers have all of these. */
const lookAlikes: Readonly<Record<string, string>> = {
  "\\": "∖",
  "`": "ˋ",
  "*": "∗",
  _: "ˍ",
  "~": "∼",
  "|": "│",
  "<": "‹",
  "[": "❲",
  "]": "❳",
};
/** Signs that mean nothing without a second one of their kind. */
const pairing: readonly string[] = ["*", "_", "`"];
/** A variation selector, which nothing shows and Discord leaves in labels. */
const divider = "\ufe00";

// What Discord would read as formatting on one line, each sign only where it could mean something.
const pairedSigns =
  /[\\`]|\*(?! )|(?<! )\*|_(?![A-Za-z0-9])|(?<![A-Za-z0-9])_|~(?=~)|(?<=~)~|\|(?=\|)|(?<=\|)\|/gu;
/** Nothing in it could mean formatting, as in most of our own titles. */
const meaningless = /^[A-Za-z0-9 ]*$/u;
// A heart is left alone.
const openingBracket = /<(?! |$|3(?: |$))/gu;
// Discord knows the look-alikes of a colon and a slash too.
const behindDivider =
  /(?<=@)(?=everyone|here)|(?<=\])(?=\()|(?<=\p{L}[:;\u02d0\u02f8\u0589\u05c3\u0703\u0704\u0903\u0a83\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789\ufe30\uff1a\u037e])(?=[/\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u2cc6\u2f03\u3033\u30ce\u31d3\u4e3f])|(?<=discord\.gg|discord\.com|discordapp\.com|discord\.gift|discord\.new)(?=\/)/giu;
const colon =
  /[:\u02d0\u02f8\u0589\u05c3\u0703\u0704\u0903\u0a83\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789\ufe30\uff1a]/u;
const emojiName =
  /[:\u02d0\u02f8\u0589\u05c3\u0703\u0704\u0903\u0a83\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789\ufe30\uff1a][\w+-]+/gu;
const blockSign = /^[#>+-](?=[ #>])/u;
const listNumber = /^\d{1,9}\.(?= )/u;
// Discord takes what can't be seen out of the label of a link before it looks at it. Joiners and tags shape emoji, and
// joiners the letters of some scripts.
const unseenInLabels =
  /(?!\u200c|\u200d|[\u{e0020}-\u{e007f}])(?:\u034f|\u17b4|\u17b5|[\p{Cf}\u1160\u3164\uffa0])/gu;
const looseJoiners =
  /[\u{e0020}-\u{e007f}]|(?<![\p{L}\p{M}])(?:\u200c|\u200d)|(?:\u200c|\u200d)(?![\p{L}\p{M}])/gu;
/** Not the digits and signs that begin a key, and not those that Discord shows as text. */
const pictograph = /(?![#*0-9©®™])\p{Emoji}/u;
const keycap = /^[#*0-9].*\u20e3/su;

/**
 * A text on one line for places where Discord may show a backslash and may read formatting all the same: titles and
 * names of fields. A sign that would mean something there becomes a look-alike, or has a divider behind it.
 */
export function unformatted(text: string): string {
  const line = oneLine(text);
  if (meaningless.test(line)) return line;
  return withoutMeaning(line, loneSignsIn(line));
}

/** Signs that the text has only once: harmless, unless more text with such a sign is shown on the same line. */
function loneSignsIn(text: string): readonly string[] {
  return pairing.filter((sign) => text.split(sign).length === 2);
}

function withoutMeaning(text: string, harmless: readonly string[]): string {
  return text
    .replace(emojiName, (name, at: number) => {
      const number = name.slice(1);
      // Digits are part of a time such as 10:30:00; only these two numbers are names of emoji.
      const isOfTime = /^\d+$/u.test(number) && number !== "100" && number !== "1234";
      const isEmoji = colon.test(text[at + name.length] ?? "") && !isOfTime;
      return isEmoji ? `${name[0]}${divider}${name.slice(1)}` : name;
    })
    .replace(pairedSigns, (sign) => (harmless.includes(sign) ? sign : lookAlike(sign)))
    .replace(openingBracket, lookAlike)
    .replace(behindDivider, divider)
    .replace(blockSign, `$&${divider}`);
}

function lookAlike(sign: string): string {
  return lookAlikes[sign] ?? sign;
}

/**
 * A masked link; the address is one of ours, built from an id. Where a label has an emoji, a mention or an address,
 * Discord shows all of the link as it was written. So emoji stand beside the label.
 */
export function link(label: string, url: string): Markup {
  const text = oneLine(label);
  const { before, linked, after } = besideEmoji(text.replace(unseenInLabels, "").trim());
  const address = new URL(url).href.replace(
    /[()\\]/gu,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  // A number in front of a link would begin a list.
  const start = before.replace(listNumber, `$&${divider}`);
  const markup = `${start}[${linked}](${address})${after}`;
  return { markup: rightToLeft.test(text) ? `\u2068${markup}\u2069` : markup };
}

interface AroundLink {
  readonly before: string;
  readonly linked: string;
  readonly after: string;
}

/** The part with most letters, and what is on both sides of it; an arrow where there is nothing but emoji. */
function besideEmoji(text: string): AroundLink {
  const raw = splitAtEmoji(text);
  // A sign beside the link may form a pair with one elsewhere in the message.
  const harmless = raw.length === 1 ? loneSignsIn(text) : [];
  const parts = raw.map((part) => {
    if (part.isEmoji) return part;
    const shown = part.text.replace(looseJoiners, "").replace(/[[\]]/gu, lookAlike);
    return { ...part, text: withoutMeaning(shown, harmless) };
  });
  const joined = (some: readonly LabelPart[]) => some.map((part) => part.text).join("");
  const sizes = parts.map(({ text, isEmoji }) =>
    isEmoji || isBlank(text) ? 0 : 1 + (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0),
  );
  const at = sizes.indexOf(Math.max(...sizes));
  if (!sizes[at]) {
    return parts.some(({ isEmoji }) => isEmoji)
      ? { before: `${joined(parts)} `, linked: "→", after: "" }
      : { before: "", linked: visible(""), after: "" };
  }
  const whole = parts[at]?.text ?? "";
  const linked = whole.trim();
  const [head = "", tail = ""] = whole.split(linked);
  return {
    before: joined(parts.slice(0, at)) + head,
    linked,
    after: tail + joined(parts.slice(at + 1)),
  };
}

interface LabelPart {
  readonly text: string;
  readonly isEmoji: boolean;
}

/** Emoji alone, and the texts between them. */
function splitAtEmoji(text: string): readonly LabelPart[] {
  const parts: LabelPart[] = [];
  let between = "";
  const flush = () => {
    if (between !== "") parts.push({ text: between, isEmoji: false });
    between = "";
  };
  for (const { segment } of graphemes.segment(text)) {
    if (!pictograph.test(segment) && !keycap.test(segment)) {
      between += segment;
      continue;
    }
    flush();
    parts.push({ text: segment.replace("*", lookAlike), isEmoji: true });
  }
  flush();
  return parts;
}
