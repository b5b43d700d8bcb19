export type Inline =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "strong" | "em" | "underline" | "strike" | "spoiler";
      readonly children: readonly Inline[];
    }
  | { readonly type: "code"; readonly text: string }
  | { readonly type: "link"; readonly url: string; readonly children: readonly Inline[] }
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

export type Block =
  | { readonly type: "text" | "subtext"; readonly children: readonly Inline[] }
  | {
      readonly type: "heading";
      readonly level: 1 | 2 | 3;
      readonly children: readonly Inline[];
    }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | { readonly type: "list"; readonly start: number | undefined; readonly items: readonly Item[] }
  | { readonly type: "code"; readonly language: string; readonly text: string };

export interface Item {
  readonly children: readonly Inline[];
  readonly lists: readonly Block[];
}

interface Rule {
  /** Sticky: matched exactly where the reader stands. */
  readonly pattern: RegExp;
  make(match: RegExpExecArray, depth: number): Inline;
}

/** Hostile text nests without end; what lies deeper stays text. */
const maxDepth = 12;

const group = (match: RegExpExecArray, index: number): string => match[index] ?? "";

const nested =
  (type: "strong" | "em" | "underline" | "strike" | "spoiler") =>
  (match: RegExpExecArray, depth: number): Inline => ({
    type,
    children: parseInline(match[1] ?? match[2] ?? "", depth + 1),
  });

const plainLink = (match: RegExpExecArray): Inline => {
  const url = match[1] ?? match[0];
  return { type: "link", url, children: [{ type: "text", text: url }] };
};

// The order decides: `**` before `*`, `__` before `_`.
const rules: readonly Rule[] = [
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
export function parseInline(text: string, depth = 0): readonly Inline[] {
  const nodes: Inline[] = [];
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
