import {
  cut,
  type FilesReply,
  files,
  join,
  type Reply,
  type Text,
  type Words,
} from "../../discord/index.ts";
import { type Method, type MethodSpec, methods } from "../../video/index.ts";
import { type Ctx, loosenClient } from "../context/index.ts";
import { formatJsonList } from "./json-list.ts";
import { type Columns, formatTable } from "./table.ts";

interface ListFileOptions {
  readonly method: Method;
  readonly params: Readonly<Record<string, unknown>>;
  readonly output: "csv" | "json";
  readonly columns: Columns<never>;
  /** Filters and sorts the entries. */
  readonly among?: (items: readonly never[]) => readonly never[];
  /** The list's title. */
  readonly name: string;
  /** The text for an empty list. */
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
}

/** The whole list as one file, read page by page with progress. */
export async function listFile(ctx: Ctx<unknown>, listing: ListFileOptions): Promise<Reply> {
  const { method, params, output, columns, name, empty, isPrivate } = listing;
  const { words } = ctx;
  const { items: all, isCut } = await readAll(ctx, listing);
  const items = listing.among?.(all) ?? all;
  const data = await (output === "json" ? formatJsonList(items) : formatTable(items, columns));
  const missing = missingIds(params, all, words);
  const lines: readonly Text[] = [
    words.say("common.file.text", { count: items.length }),
    ...(items.length === 0 ? [empty] : []),
    ...(missing === undefined ? [] : [missing]),
    ...(isCut ? [words.say("common.file.cut", { count: items.length })] : []),
  ];
  return files({
    title: name,
    text: join(lines, "\n"),
    files: [{ name: `${fileName(method)}.${output}`, data: Buffer.from(data) }],
    ...(isPrivate && { isPrivate }),
  });
}

/** One answer of the service, unchanged. */
export async function rawFile(
  ctx: Ctx<unknown>,
  method: Method,
  params: ListFileOptions["params"],
): Promise<FilesReply> {
  const answer = await loosenClient(ctx.video).call(method, params, { signal: ctx.signal });
  return files({
    title: ctx.words.say("common.raw.title"),
    text: ctx.words.say("common.raw.text", { method }),
    files: [
      { name: `${fileName(method)}.json`, data: Buffer.from(JSON.stringify(answer, null, 2)) },
    ],
  });
}

async function readAll(ctx: Ctx<unknown>, { method, params }: ListFileOptions) {
  const methodSpec: MethodSpec = methods[method];
  const video = loosenClient<Page>(ctx.video);
  const { signal } = ctx;
  if (methodSpec.query.pageToken === undefined || params.id !== undefined) {
    const { items = [] } = await video.call(method, params, { signal });
    return { items, isCut: false };
  }
  const items: never[] = [];
  let isCut = false;
  const maxPages = methodSpec.bucket === "searches" ? mostSearches : mostPages;
  const maxResults = methodSpec.query.maxResults?.max ?? 50;
  const pageParams = { ...params, maxResults };
  for await (const page of video.pages(method, pageParams, { signal, maxPages })) {
    items.push(...(page.items ?? []));
    isCut = page.nextPageToken !== undefined;
    ctx.progress({
      title: ctx.words.say("common.file.reading"),
      text: ctx.words.say("common.file.so_far", { count: items.length }),
    });
  }
  return { items, isCut };
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
  const held = new Set(items.map(idOf));
  const missing = id.map(String).filter((one) => !held.has(one));
  if (missing.length === 0) return undefined;
  const ids = cut(missing.join(", "), longestList);
  return words.md("common.not_found", { count: missing.length, ids });
}

function idOf(item: unknown): string | undefined {
  // A rating has no id of its own, only its video's.
  const { id, videoId } = item as { readonly id?: string; readonly videoId?: string };
  return id ?? videoId;
}
