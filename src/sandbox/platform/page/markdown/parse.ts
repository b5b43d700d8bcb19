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
  make(match: RegExpExecArray, depth: number): InlineMark;
}

/** Hostile text nests without end; what is nested deeper stays text. */
const maxDepth = 12;

const group = (match: RegExpExecArray, index: number): string => match[index] ?? "";

const nested =
  (type: "strong" | "em" | "underline" | "strike" | "spoiler") =>
  (match: RegExpExecArray, depth: number): InlineMark => ({
    type,
    children: parseInline(match[1] ?? match[2] ?? "", depth + 1),
  });

const plainLink = (match: RegExpExecArray): InlineMark => {
  const url = match[1] ?? match[0];
  return { type: "link", url, children: [{ type: "text", text: url }] };
};

// The order decides: `**` before `*`, `__` before `_`.
const rules: readonly MarkdownRule[] = [
  { pattern: /\\([^\p{L}\p{N}\s])/uy, make: (match) => ({ type: "text", text: group(match, 1) }) },
  {
    pattern: /(`+)([\s\S]*?[^`])\1(?!`)/y,
    make: (match) => ({ type: "code", text: group(match, 2) }),
  },
  { pattern: /<(https?:\/\/[^\s<>]+)>/y, make: plainLink },
  { pattern: /https?:\/\/[^\s<]*[^\s<.,:;"')\]*_~|]/y, make: plainLink },
  {
    pattern:
      /\[((?:\\[\s\S]|[^[\]\\])+)\]\(\s*<?(https?:\/\/(?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+"[^"]*")?\s*\)/y,
    make: (match, depth) => ({
      type: "link",
      url: group(match, 2),
      children: parseInline(group(match, 1), depth + 1),
    }),
  },
  {
    pattern: /<t:(-?\d{1,13})(?::([tTdDfFsSR]))?>/y,
    make: (match) => ({
      type: "time",
      unixSeconds: Number(match[1]),
      style: match[2] ?? "f",
    }),
  },
  { pattern: /<@!?(\d+)>/y, make: (match) => ({ type: "user", id: group(match, 1) }) },
  { pattern: /<@&(\d+)>/y, make: (match) => ({ type: "role", id: group(match, 1) }) },
  { pattern: /<#(\d+)>/y, make: (match) => ({ type: "channel", id: group(match, 1) }) },
  {
    pattern: /<\/([^:<>\n]+):(\d+)>/y,
    make: (match) => ({ type: "command", name: group(match, 1), id: group(match, 2) }),
  },
  {
    pattern: /<(a?):(\w+):(\d+)>/y,
    make: (match) => ({
      type: "emoji",
      isAnimated: match[1] === "a",
      name: group(match, 2),
      id: group(match, 3),
    }),
  },
  {
    pattern: /@(everyone|here)\b/y,
    make: (match) => ({ type: "everyone", name: group(match, 1) }),
  },
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

/** Only these can start anything but text. */
const special = /[\\`<h[@*_~|]/g;

/** Discord's inline marks of one run of text; what forms no mark stays text, newlines included. */
export function parseInline(text: string, depth = 0): readonly InlineMark[] {
  const nodes: InlineMark[] = [];
  let plain = "";
  let at = 0;
  while (at < text.length) {
    const found = depth < maxDepth ? matchAt(text, at, depth) : undefined;
    if (!found) {
      const next = nextSpecial(text, at + 1);
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

function matchAt(text: string, at: number, depth: number) {
  for (const { pattern, make } of rules) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { node: make(match, depth), end: at + match[0].length };
  }
  return undefined;
}

function nextSpecial(text: string, from: number): number {
  special.lastIndex = from;
  return special.exec(text)?.index ?? text.length;
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
  if (quote.test(line)) return readQuote(lines, at);
  const head = heading.exec(line);
  if (head) {
    const level = (head[1]?.length ?? 1) as 1 | 2 | 3;
    return { block: { type: "heading", level, children: parseInline(head[2] ?? "") }, lines: 1 };
  }
  const small = subtext.exec(line);
  if (small) return { block: { type: "subtext", children: parseInline(small[1] ?? "") }, lines: 1 };
  return item.test(line) ? readList(lines, at) : undefined;
}

function readQuote(lines: readonly string[], at: number): ParsedBlock {
  const end = lines.findIndex((line, index) => index >= at && !quote.test(line));
  const quoted = lines.slice(at, end < 0 ? undefined : end);
  const inner = quoted.map((line) => line.slice(2)).join("\n");
  return { block: { type: "quote", blocks: parseLines(inner) }, lines: quoted.length };
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
