export type InlineMark =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "strong" | "em" | "underline" | "strike" | "spoiler";
      readonly children: readonly InlineMark[];
    }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "link"; readonly url: string; readonly children: readonly InlineMark[] }
  | { readonly type: "user" | "role" | "channel"; readonly id: string }
  | { readonly type: "command"; readonly id: string; readonly name: string }
  | { readonly type: "everyone"; readonly name: string }
  | {
      readonly type: "emoji";
      readonly id: string;
      readonly name: string;
      readonly isAnimated: boolean;
    }
  | { readonly type: "time"; readonly unixSeconds: number; readonly style: string };

export type MarkdownBlock =
  | { readonly type: "text" | "subtext"; readonly children: readonly InlineMark[] }
  | {
      readonly type: "heading";
      readonly level: 1 | 2 | 3;
      readonly children: readonly InlineMark[];
    }
  | { readonly type: "quote"; readonly blocks: readonly MarkdownBlock[] }
  | {
      readonly type: "list";
      readonly start: number | undefined;
      readonly items: readonly ListItem[];
    }
  | { readonly type: "code"; readonly language: string; readonly text: string };

export interface ListItem {
  readonly children: readonly InlineMark[];
  readonly lists: readonly MarkdownBlock[];
}

interface MarkdownRule {
  /** Sticky: it matches only at the current position. */
  readonly pattern: RegExp;
  /** The mark's type, when its fields are the named groups of the pattern. */
  readonly type?: InlineMark["type"];
  readonly make?: (match: RegExpExecArray, at: InlinePlace) => InlineMark;
}

interface InlinePlace {
  readonly depth: number;
  readonly rules: readonly MarkdownRule[];
}

/** Hostile text nests without end; what is nested deeper stays text. */
const maxDepth = 12;

const group = (match: RegExpExecArray, index: number): string => match[index] ?? "";

const nested =
  (type: "strong" | "em" | "underline" | "strike" | "spoiler") =>
  (match: RegExpExecArray, at: InlinePlace): InlineMark => ({
    type,
    children: parseAt(match[1] ?? match[2] ?? "", { ...at, depth: at.depth + 1 }),
  });

const plainLink = (match: RegExpExecArray): InlineMark => {
  const url = match[1] ?? match[0];
  return { type: "link", url, children: [{ type: "text", text: url }] };
};

const escapedSign: MarkdownRule = {
  pattern: /\\(?<text>[^\p{L}\p{N}\s])/uy,
  type: "text",
};
const code: MarkdownRule = {
  pattern: /(`+)([\s\S]*?[^`])\1(?!`)/y,
  make: (match) => ({ type: "code", text: group(match, 2) }),
};
const time: MarkdownRule = {
  pattern: /<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/y,
  make: (match) => ({
    type: "time",
    unixSeconds: Number(match[1]),
    style: match[2] ?? "f",
  }),
};
const customEmoji: MarkdownRule = {
  pattern: /<(a?):(\w+):(\d+)>/y,
  make: (match) => ({
    type: "emoji",
    isAnimated: match[1] === "a",
    name: group(match, 2),
    id: group(match, 3),
  }),
};
// The order decides: `**` before `*`, `__` before `_`.
const styles: readonly MarkdownRule[] = [
  { pattern: /\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, make: nested("strong") },
  { pattern: /__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, make: nested("underline") },
  {
    pattern:
      /(?<!\w)_((?:__|\\[\s\S]|[^\\_])+?)_(?!\w)|\*(?=\S)((?:\*\*|\\[\s\S]|[^*\\])+?)\*(?!\*)/y,
    make: nested("em"),
  },
  { pattern: /~~((?:\\[\s\S]|[^\\])+?)~~/y, make: nested("strike") },
  { pattern: /\|\|((?:\\[\s\S]|[^\\])+?)\|\|/y, make: nested("spoiler") },
];

// Escapes are off in both: a backslash is shown, and what is behind it counts all the same.
const labelRules: readonly MarkdownRule[] = [code, time, ...styles];
const titleRules: readonly MarkdownRule[] = [code, customEmoji, ...styles];

const maskedLink: MarkdownRule = {
  pattern:
    /\[((?:\[[^\]]*\]|[^[\]])+)\]\(\s*<?(https?:\/\/(?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+"[^"]*")?\s*\)/y,
  make: (match, { depth }) => {
    const label = group(match, 1).replace(unseenInLabel, "");
    if (!isAllowedLabel(label, depth)) return { type: "text", text: match[0] };
    const children = parseAt(label, { depth: depth + 1, rules: labelRules });
    return { type: "link", url: group(match, 2), children };
  },
};

const rules: readonly MarkdownRule[] = [
  escapedSign,
  code,
  { pattern: /<(https?:\/\/[^\s<>]+)>/y, make: plainLink },
  { pattern: /https?:\/\/[^\s<]*[^\s<.,:;"')\]*_~|]/y, make: plainLink },
  maskedLink,
  time,
  { pattern: /<@!?(?<id>\d+)>/y, type: "user" },
  { pattern: /<@&(?<id>\d+)>/y, type: "role" },
  { pattern: /<#(?<id>\d+)>/y, type: "channel" },
  { pattern: /<\/(?<name>[^:<>\n]+):(?<id>\d+)>/y, type: "command" },
  customEmoji,
  { pattern: /@(?<name>everyone|here)\b/y, type: "everyone" },
  ...styles,
];

// Before it looks for what is not allowed in a label, Discord takes out what can't be seen and reads look-alikes.
const unseenInLabel = /\u034f|\u17b4|\u17b5|[\p{Cf}\u1160\u3164\uffa0]/gu;
const colons =
  /[\u02d0\u02f8\u0589\u05c3\u0703\u0704\u0903\u0a83\u16ec\u1803\u1809\u205a\u2236\ua4fd\ua789\ufe30\uff1a]/gu;
const slashes =
  /[\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u2cc6\u2f03\u3033\u30ce\u31d3\u4e3f]/gu;
const pictograph = /(?![#*0-9©®™])\p{Emoji}/u;
const keycap = /[#*0-9]\ufe0f?\u20e3/u;
const emojiName = /:\d*[a-z_+-][\w+-]*:|:100:|:1234:/u;
const invite = /discord(?:\.gg|(?:app)?\.com|\.gift|\.new)\//u;
const forbidden = [pictograph, keycap, emojiName, invite];

/** Whether Discord makes a link of it: not with an emoji, a mention or an address in its label. */
function isAllowedLabel(label: string, depth: number): boolean {
  const folded = label.replace(colons, ":").replace(slashes, "/").toLowerCase();
  if (folded.trim() === "" || forbidden.some((one) => one.test(folded))) return false;
  const marks = parseAt(folded.replaceAll(/[;\u037e]/g, ":"), {
    depth: depth + 1,
    rules: rules.filter((rule) => rule !== escapedSign),
  });
  return !hasForeignMark(marks);
}

function hasForeignMark(marks: readonly InlineMark[]): boolean {
  return marks.some((mark) => {
    if ("children" in mark && mark.type !== "link") return hasForeignMark(mark.children);
    return mark.type !== "text" && mark.type !== "code" && mark.type !== "time";
  });
}

/** Only these can start anything but text. */
const special = /[\\`<h[@*_~|]/g;

/** Discord's inline marks of one run of text; what forms no mark stays text, newlines included. */
export function parseInline(text: string): readonly InlineMark[] {
  return parseAt(text, { depth: 0, rules });
}

/** A title of an embed or a name of a field, which has no links and no mentions. */
export function parseTitle(text: string): readonly InlineMark[] {
  return parseAt(text, { depth: 0, rules: titleRules });
}

function parseAt(text: string, place: InlinePlace): readonly InlineMark[] {
  const nodes: InlineMark[] = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const found = place.depth < maxDepth ? matchAt(text, at, place) : undefined;
    if (!found) {
      special.lastIndex = at + 1;
      const next = special.exec(text)?.index ?? text.length;
      plain += text.slice(at, next);
      at = next;
      continue;
    }
    if (plain) nodes.push({ type: "text", text: plain });
    plain = "";
    nodes.push(found.node);
    at = found.end;
  }
  if (plain) nodes.push({ type: "text", text: plain });
  return nodes;
}

function matchAt(text: string, at: number, place: InlinePlace) {
  for (const { pattern, type, make } of place.rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) continue;
    // Without `make` the named groups are the fields of that type of mark.
    const node = make?.(match, place) ?? ({ type, ...match.groups } as InlineMark);
    return { node, end: at + match[0].length };
  }
  return undefined;
}

const fence = /```(?:([\w+#.-]+)\n)?\n?([\s\S]+?)\n?```\n?/g;
const heading = /^(#{1,3}) +(\S.*)$/;
const subtext = /^-# +(\S.*)$/;
const item = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/;
const quote = /^> /;
const longQuote = /^>>> /;

/** Discord's markdown of a message, embed description or text display. */
export function parseMarkdown(text: string): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  let at = 0;
  for (const match of text.matchAll(fence)) {
    blocks.push(...parseLines(text.slice(at, match.index).replace(/\n$/, "")));
    blocks.push({ type: "code", language: match[1] ?? "", text: match[2] ?? "" });
    at = match.index + match[0].length;
  }
  return [...blocks, ...parseLines(text.slice(at))];
}

function parseLines(text: string): readonly MarkdownBlock[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const blocks: MarkdownBlock[] = [];
  let plain: string[] = [];
  const flush = () => {
    if (plain.length > 0) blocks.push({ type: "text", children: parseInline(plain.join("\n")) });
    plain = [];
  };

  for (let at = 0; at < lines.length; ) {
    const read = readBlock(lines, at);
    if (!read) {
      plain.push(lines[at] ?? "");
      at += 1;
      continue;
    }
    flush();
    blocks.push(read.block);
    at += read.lines;
  }
  flush();
  return blocks;
}

interface ParsedBlock {
  readonly block: MarkdownBlock;
  readonly lines: number;
}

function readBlock(lines: readonly string[], at: number): ParsedBlock | undefined {
  const line = lines[at] ?? "";
  if (longQuote.test(line)) {
    const inner = [line.slice(4), ...lines.slice(at + 1)].join("\n");
    return { block: { type: "quote", blocks: parseLines(inner) }, lines: lines.length - at };
  }
  if (quote.test(line)) {
    const end = lines.findIndex((each, index) => index >= at && !quote.test(each));
    const quoted = lines.slice(at, end < 0 ? undefined : end);
    const inner = quoted.map((each) => each.slice(2)).join("\n");
    return { block: { type: "quote", blocks: parseLines(inner) }, lines: quoted.length };
  }
  const head = heading.exec(line);
  if (head) {
    const level = (head[1]?.length ?? 1) as 1 | 2 | 3;
    return { block: { type: "heading", level, children: parseInline(head[2] ?? "") }, lines: 1 };
  }
  const small = subtext.exec(line);
  if (small) return { block: { type: "subtext", children: parseInline(small[1] ?? "") }, lines: 1 };
  return item.test(line) ? readList(lines, at) : undefined;
}

function readList(lines: readonly string[], from: number): ParsedBlock {
  const first = item.exec(lines[from] ?? "");
  const indent = first?.[1]?.length ?? 0;
  const start = /\d/.test(first?.[2] ?? "") ? Number.parseInt(first?.[2] ?? "1", 10) : undefined;
  const items: { children: ListItem["children"]; lists: MarkdownBlock[] }[] = [];
  let at = from;
  while (at < lines.length) {
    const match = item.exec(lines[at] ?? "");
    const depth = match?.[1]?.length ?? -1;
    const isSameKind = /\d/.test(match?.[2] ?? "") === (start !== undefined);
    if (!match || depth < indent || (depth === indent && !isSameKind)) break;
    const last = items.at(-1);
    if (depth > indent && last) {
      const inner = readList(lines, at);
      last.lists.push(inner.block);
      at += inner.lines;
      continue;
    }
    items.push({ children: parseInline(match[3] ?? ""), lists: [] });
    at += 1;
  }
  return { block: { type: "list", start, items }, lines: at - from };
}
