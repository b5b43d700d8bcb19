import {
  cut,
  type FileEntry,
  type FilesReply,
  files,
  join,
  type MadeFile,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type Method, type MethodSpec, methods, type PagedMethod } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { jsonEntries } from "./json-list.ts";
import { type Columns, tableEntries } from "./table.ts";

interface ListFileOptions {
  readonly method: Method;
  readonly params: Readonly<Record<string, unknown>>;
  readonly output: "csv" | "json";
  readonly columns: Columns<never>;
  /** Filters and sorts the entries. */
  readonly among?: (items: readonly never[]) => readonly never[];
  /** The list's title. */
  readonly name: string;
  readonly empty: Text;
  readonly isPrivate: boolean;
}

/** The most pages in a file; each page of fifty costs a call. */
const mostPages = 40;
/** A day has only a hundred searches, so a list of results is cut early. */
const mostSearches = 4;

interface Page {
  readonly items?: readonly never[];
  readonly nextPageToken?: string;
  readonly pageInfo?: { readonly totalResults?: number };
}

/** The whole list as one file, read page by page with progress. */
export async function listFile(ctx: Ctx<unknown>, listing: ListFileOptions): Promise<Reply> {
  const { params, output, columns, name, empty, isPrivate } = listing;
  const { words } = ctx;
  const state: ReadingState = { found: [], isCut: false, total: 0 };
  const items = readItems(ctx, listing, state);
  const { file, ...made } = await ctx.makeFile({
    name: `${fileName(listing.method)}.${output}`,
    entries: output === "json" ? jsonEntries(items) : tableEntries(items, columns),
  });
  const missing = missingIds(params, state.found, words);
  const lines: readonly Text[] = [
    made.isCut
      ? describeFullFile(words, made, state.total)
      : words.say("common.file.text", { count: made.count }),
    ...(made.count === 0 ? [empty] : []),
    ...(missing === undefined ? [] : [missing]),
    ...(state.isCut && !made.isCut ? [words.say("common.file.cut", { count: made.count })] : []),
  ];
  return files({
    title: name,
    text: join(lines, "\n"),
    files: [file],
    isPrivate,
  });
}

/** Says that a file is full: how many entries it has, and of how many. */
export function describeFullFile(
  words: Words,
  { count, maxBytes }: Pick<MadeFile, "count" | "maxBytes">,
  total: number,
): Text {
  const known = total > count ? total : 0;
  return words.say("common.file.full", { count, total: known, most: words.bytes(maxBytes) });
}

/** One answer of YouTube, unchanged. */
export async function rawFile(
  ctx: Ctx<unknown>,
  method: Method,
  params: ListFileOptions["params"],
): Promise<FilesReply> {
  const { words } = ctx;
  await ctx.holdBytes(rawWeight);
  const answer = await ctx.video.call(method, params as never, { signal: ctx.signal });
  const made = await ctx.makeFile({
    name: `${fileName(method)}.json`,
    entries: rawEntries(answer),
  });
  const said = words.say("common.raw.text", { method });
  return files({
    title: words.say("common.raw.title"),
    text: made.isCut ? join([said, describeFullFile(words, made, 0)], "\n") : said,
    files: [made.file],
  });
}

/** What a page of the longest entries needs while it is read. */
const rawWeight = 8 * 1024 * 1024;

/** As `JSON.stringify` with two spaces writes it; the items are the last field, and are written one by one. */
async function* rawEntries(answer: unknown): AsyncGenerator<FileEntry> {
  const { items, ...rest } = answer as { readonly items?: unknown };
  if (!Array.isArray(items)) {
    yield { text: JSON.stringify(answer, null, 2), end: "" };
    return;
  }
  const head = JSON.stringify(rest, null, 2).replace(/\n?\}$/u, "");
  const before = `${head}${head === "{" ? "" : ","}\n  "items": `;
  yield* jsonEntries(items, { before, after: "\n}", depth: 1 });
}

interface ReadingState {
  /** The entries of a list that was asked for by ids. */
  found: readonly never[];
  /** Whether the list goes on behind the last page that may be read. */
  isCut: boolean;
  /** How many the list has, as YouTube says. */
  total: number;
}

/** The entries, one after the other: a page is read when those of the one before it are written, and is kept no longer. */
async function* readItems(
  ctx: Ctx<unknown>,
  { method, params, among = (items) => items }: ListFileOptions,
  state: ReadingState,
): AsyncGenerator<never> {
  const methodSpec: MethodSpec = methods[method];
  const { signal, video } = ctx;
  if (methodSpec.query.pageToken === undefined || params.id !== undefined) {
    const { items = [] } = (await video.call(method, params as never, { signal })) as Page;
    state.found = items;
    yield* among(items);
    return;
  }
  let count = 0;
  const maxPages = methodSpec.bucket === "searches" ? mostSearches : mostPages;
  const maxResults = methodSpec.query.maxResults?.max ?? 50;
  const pageParams = { ...params, maxResults } as never;
  const pages = video.pages(method as PagedMethod, pageParams, { signal, maxPages });
  for await (const page of pages as AsyncIterable<Page>) {
    const items = page.items ?? [];
    count += items.length;
    state.isCut = page.nextPageToken !== undefined;
    state.total = page.pageInfo?.totalResults ?? 0;
    ctx.progress({
      title: ctx.words.say("common.file.reading"),
      text: ctx.words.say("common.file.so_far", { count }),
    });
    yield* among(items);
  }
}

function fileName(method: string): string {
  return method.replaceAll(".", "-").replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** A message has room for more, but nobody reads that many. */
const longestList = 400;

/** The ids that were requested but not found; undefined if all were, or if no ids were requested. */
export function missingIds(
  params: object,
  items: readonly unknown[],
  words: Words,
): Text | undefined {
  const { id } = params as { readonly id?: unknown };
  if (!Array.isArray(id)) return undefined;
  const held = new Set(
    items.map((item) => {
      // A rating has no id of its own, only its video's.
      const { id, videoId } = item as { readonly id?: string; readonly videoId?: string };
      return id ?? videoId;
    }),
  );
  const missing = id.map(String).filter((one) => !held.has(one));
  if (missing.length === 0) return undefined;
  const ids = cut(missing.join(", "), longestList);
  return words.md("common.not_found", { count: missing.length, ids });
}
