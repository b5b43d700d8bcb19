/**
 * Text for people. A plain `string` is untrusted and is escaped where it is shown; `Markup` is made only by the
 * functions here, from constants and escaped pieces, so hostile titles and comments can't become formatting,
 * mentions or links.
 */
export interface Markup {
  readonly markup: string;
}

export type Text = string | Markup;

export const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

// Explicit directional marks reorder the text around them, so they are removed; our own isolates keep the direction.
const bidiControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
export const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}]|[\u{1e800}-\u{1efff}]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]/gu;
// Discord shows any punctuation behind a backslash as it is. The colon and the slash keep addresses and invitations
// from becoming links; the at sign and the angle bracket keep mentions, emoji and timestamps from becoming live.
const formatting = /[\\*_~`|[\]()<>#@]|(?<!\d):|:(?!\d)|(?<=\S)\//gu;
const lineStart = /^([^\S\r\n\u2028\u2029]*)([-+]|\d+\.\s)/gmu;

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

/** At most `max` UTF-16 units, cut between graphemes, with an ellipsis when cut. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = "";
  for (const { segment } of graphemes.segment(text)) {
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
    let room = max;
    let kept = cut(text, room);
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

type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** The fields that have a value: Discord's types allow no `undefined`. */
export function definedFields<T extends object>(fields: T): Defined<T> {
  const defined: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) defined[name] = value;
  }
  return defined as Defined<T>;
}
