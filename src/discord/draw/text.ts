/**
 * Text for people. A plain `string` is untrusted and is escaped where it is shown; `Markup` is made only by the
 * functions here, from constants and escaped pieces, so hostile titles and comments can't become formatting,
 * mentions or links.
 */
export interface Markup {
  readonly markup: string;
}

export type Text = string | Markup;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

// Explicit directional marks reorder the text around them, so they are removed; our own isolates keep the direction.
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]/gu;
// Discord shows any punctuation behind a backslash as it is. The colon and the slash keep addresses and invitations
// from becoming links; the at sign and the angle bracket keep mentions, emoji and timestamps from becoming live.
const formatting = /[\\*_~`|[\]()<>#@]|(?<!\d):|:(?!\d)|(?<=\S)\//gu;
const lineStart = /^([^\S\r\n\u2028\u2029]*)([-+]|\d+\.\s)/gmu;

/** For signs that mean something: all of them are in the fonts that phones and computers come with. */
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
/** What means nothing without a second one of its kind. */
const pairing: readonly string[] = ["*", "_", "`"];
/** A variation selector, which nothing shows and Discord leaves in labels. */
const divider = "\ufe00";

// What Discord would read as formatting on one line, each sign only where it could mean something.
const pairedSigns =
  /[\\`]|\*(?! )|(?<! )\*|_(?![A-Za-z0-9])|(?<![A-Za-z0-9])_|~(?=~)|(?<=~)~|\|(?=\|)|(?<=\|)\|/gu;
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

// Stacked by the dozen, marks above, below and around letters paint over the lines around them. Invisible characters
// between two marks don't separate them.
const stack = /[\p{M}\p{DI}]+/gu;
const mark = /\p{M}/u;
/** Variation selectors and joiners that count as marks paint nothing. */
const invisible = /\p{DI}/u;
/** Marks that stand beside their letter. */
const spacing = /\p{Mc}/u;
/** No language needs more on a letter than this, except in the scripts below. */
const mostMarks = 4;
/** Hebrew with its accents, and scripts that write whole syllables below one letter. */
const deepScripts = /[\p{Script=Hebrew}\p{Script=Tibetan}\p{Script=Myanmar}]/u;
const mostDeepMarks = 6;

/** What people can't see: spaces of any kind, and characters without a shape. */
const unseen = /^[\s\p{Cc}\p{Cf}\p{DI}\u2800]*$/u;

/** Whether there is nothing to see. */
export function isBlank(text: string): boolean {
  return unseen.test(text);
}

/** For places that may not be empty: Discord would refuse the whole message for one empty name. */
export function visible(text: string): string {
  return isBlank(text) ? "—" : text;
}

/** Removes control and direction characters and piled-up marks; keeps line breaks. For places that show no formatting. */
export function plain(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  const clean = whole
    .replaceAll("\r\n", "\n")
    .replace(controls, "")
    .replace(bidiControls, "")
    .replace(stack, thinned);
  return rightToLeft.test(clean) ? `\u2068${clean}\u2069` : clean;
}

/** Keeps as many of a letter's marks as writing needs. */
function thinned(marks: string): string {
  if (marks.length <= mostMarks) return marks;
  const counts = { stacked: 0, spacing: 0 };
  return Array.from(marks)
    .filter((character) => {
      if (!mark.test(character) || invisible.test(character)) return true;
      if (spacing.test(character)) return ++counts.spacing <= mostDeepMarks;
      counts.stacked += 1;
      return counts.stacked <= (deepScripts.test(character) ? mostDeepMarks : mostMarks);
    })
    .join("");
}

/** Puts a text on one line, for titles and labels. */
export function oneLine(text: string): string {
  return plain(text.replace(/\s+/gu, " ").trim());
}

/** Escapes a text for places where Discord formats text. */
export function literal(text: string): string {
  return plain(text)
    .replace(formatting, "\\$&")
    .replace(lineStart, (_, space: string, mark: string) =>
      mark.length > 1 ? `${space}${mark.replace(".", "\\.")}` : `${space}\\${mark}`,
    );
}

/**
 * A text on one line for places where Discord may show a backslash and may read formatting all the same: titles and
 * names of fields. A sign that would mean something there becomes a look-alike, or has a divider behind it.
 */
export function unformatted(text: string): string {
  const line = oneLine(text);
  return withoutMeaning(line, loneSignsIn(line));
}

/** The signs that are there once. They are for texts that nothing of the same formatting stands beside. */
function loneSignsIn(text: string): readonly string[] {
  return pairing.filter((sign) => text.split(sign).length === 2);
}

function withoutMeaning(text: string, harmless: readonly string[]): string {
  return text
    .replace(emojiName, (name, at: number) => {
      const isEmoji = colon.test(text[at + name.length] ?? "") && !isPartOfTime(name);
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

/** These two numbers are names of emoji. */
function isPartOfTime(name: string): boolean {
  const number = name.slice(1);
  return /^\d+$/u.test(number) && number !== "100" && number !== "1234";
}

/** At most `max` UTF-16 units, cut between graphemes, with an ellipsis when cut. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = "";
  for (const { segment } of segmenter.segment(text)) {
    if (kept.length + segment.length > max - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** What a person typed, on one line and short enough for an error that repeats it. */
export function typedText(text: string): string {
  return cut(oneLine(text), 60);
}

/** Our own formatting around pieces, which are escaped unless they are `Markup` themselves. */
export function md(parts: TemplateStringsArray, ...values: readonly (Text | number)[]): Markup {
  const escaped = values.map((value) => formatted(typeof value === "number" ? `${value}` : value));
  return { markup: String.raw({ raw: parts }, ...escaped) };
}

/** A text as it is sent to a place that formats text. */
export function formatted(text: Text): string {
  return typeof text === "string" ? literal(text) : text.markup;
}

/** Joins pieces by line breaks, or by `between`; leaves out `false` and `undefined`. */
export function join(pieces: readonly (Text | false | undefined)[], between = "\n"): Markup {
  const present = pieces.filter((piece) => piece !== false && piece !== undefined);
  return { markup: present.map(formatted).join(between) };
}

/**
 * A masked link; the address is one of ours, built from an id. Where a label has an emoji, a mention or an address,
 * Discord shows all of the link as it was written. So emoji stand beside the label.
 */
export function link(label: string, url: string): Markup {
  const text = oneLine(label);
  const { before, linked, after } = besideEmoji(text.replace(unseenInLabels, "").trim());
  const address = new URL(url).href.replace(/[()\\]/gu, percentEncoded);
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
  // Beside the label, a sign may meet another one of the message.
  const harmless = raw.length === 1 ? loneSignsIn(text) : [];
  const parts = raw.map((part) =>
    part.isEmoji ? part : { ...part, text: asLabel(part.text, harmless) },
  );
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
  for (const { segment } of segmenter.segment(text)) {
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

function asLabel(text: string, harmless: readonly string[]): string {
  return withoutMeaning(text.replace(looseJoiners, "").replace(/[[\]]/gu, lookAlike), harmless);
}

function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A block of its own whose text can be copied as it is; a backtick would end it early. */
export function codeBlock(text: string): Markup {
  return { markup: `\`\`\`\n${plain(text).replaceAll("`", "ˋ")}\n\`\`\`` };
}

/** Discord's own timestamp, shown in each reader's language and zone: `R` relative, `f` in full. */
export function time(at: Date, style: "R" | "f" | "t" | "D" = "R"): Markup {
  return { markup: `<t:${Math.floor(at.getTime() / 1000)}:${style}>` };
}

/** A person's name as Discord shows it; never pings, because every payload forbids it. */
export function mention(userId: string): Markup {
  return { markup: `<@${BigInt(userId)}>` };
}

/** A role's name; it pings nobody either. */
export function roleMention(roleId: string): Markup {
  return { markup: `<@&${BigInt(roleId)}>` };
}

/** A channel's name, as a link to it. */
export function channelMention(channelId: string): Markup {
  return { markup: `<#${BigInt(channelId)}>` };
}

/** An emoji of the server, as its picture. */
export function customEmoji({ id, name }: { readonly id: string; readonly name: string }): Markup {
  return { markup: `<:${name.replace(/\W/gu, "")}:${BigInt(id)}>` };
}

/**
 * Formatted text of at most `max` units. Untrusted text is cut before it is escaped; of our own formatting whole
 * lines go first, because a cut inside a link would show its address.
 */
export function fitted(text: Text, max: number): string {
  if (typeof text === "string") {
    let kept = text;
    let room = max;
    while (literal(kept).length > max) {
      room = Math.min(room - 1, Math.floor((room * max) / literal(kept).length));
      kept = cut(text, Math.max(room, 1));
    }
    return literal(kept);
  }
  if (text.markup.length <= max) return text.markup;
  const lines = text.markup.slice(0, max - 2).split("\n");
  return lines.length > 1 ? `${lines.slice(0, -1).join("\n")}\n…` : cut(text.markup, max);
}

/** The items without `false` and `undefined`, which conditions in a list leave behind. */
export function compact<T>(items: readonly (T | false | undefined)[]): T[] {
  return items.filter((item) => item !== false && item !== undefined) as T[];
}
