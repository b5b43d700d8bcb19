import { type Block, type Item, parseInline } from "./inline.ts";

const fence = /```(?:([\w+#.-]+)\n)?\n?([\s\S]+?)\n?```\n?/g;
const heading = /^(#{1,3}) +(\S.*)$/;
const subtext = /^-# +(\S.*)$/;
const item = /^( *)([-*]|\d{1,9}\.) +(\S.*)$/;
const quote = /^> /;
const longQuote = /^>>> /;

/** Discord's markdown of a message, embed description or text display. */
export function parseMarkdown(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let at = 0;
  for (const match of text.matchAll(fence)) {
    blocks.push(...parseLines(text.slice(at, match.index).replace(/\n$/, "")));
    blocks.push({ type: "code", language: match[1] ?? "", text: match[2] ?? "" });
    at = match.index + match[0].length;
  }
  return [...blocks, ...parseLines(text.slice(at))];
}

function parseLines(text: string): readonly Block[] {
  if (text === "") return [];
  const lines = text.split("\n");
  const blocks: Block[] = [];
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

interface Read {
  readonly block: Block;
  readonly lines: number;
}

function readBlock(lines: readonly string[], at: number): Read | undefined {
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

function readQuote(lines: readonly string[], at: number): Read {
  const end = lines.findIndex((line, index) => index >= at && !quote.test(line));
  const quoted = lines.slice(at, end < 0 ? undefined : end);
  const inner = quoted.map((line) => line.slice(2)).join("\n");
  return { block: { type: "quote", blocks: parseLines(inner) }, lines: quoted.length };
}

function readList(lines: readonly string[], from: number): Read {
  const first = item.exec(lines[from] ?? "");
  const indent = first?.[1]?.length ?? 0;
  const start = /\d/.test(first?.[2] ?? "") ? Number.parseInt(first?.[2] ?? "1", 10) : undefined;
  const items: { children: Item["children"]; lists: Block[] }[] = [];
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
