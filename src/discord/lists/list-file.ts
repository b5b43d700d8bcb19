import { type Method, type MethodSpec, methods } from "../../video/index.ts";
import type { Ctx } from "../declare/ctx.ts";
import { loosened } from "../declare/loose-client.ts";
import { type Files, files, type Reply } from "../draw/reply.ts";
import { join, type Text } from "../draw/text.ts";
import { jsonList } from "./json-list.ts";
import { missingIds } from "./missing-ids.ts";
import { type Columns, table } from "./table.ts";

export interface Listing {
  readonly method: Method;
  readonly params: Readonly<Record<string, unknown>>;
  readonly output: "csv" | "json";
  readonly columns: Columns<never>;
  /** Which of the entries are wanted, and in which order. */
  readonly among?: (items: readonly never[]) => readonly never[];
  /** What the list is called. */
  readonly name: string;
  /** Said of a list with nothing in it. */
  readonly empty: Text;
  readonly isPrivate: boolean;
}

/** Entries that a file holds at most; each page of fifty costs a call. */
const mostPages = 40;
/** The day has a hundred searches, so that a list of them is cut early. */
const mostSearches = 4;

interface Page {
  readonly items?: readonly never[];
  readonly nextPageToken?: string;
}

/** The whole list as one file, read page by page with progress. */
export async function listFile(ctx: Ctx<unknown>, listing: Listing): Promise<Reply> {
  const { method, params, output, columns, name, empty, isPrivate } = listing;
  const { words } = ctx;
  const { items: all, isCut } = await readAll(ctx, listing);
  const items = listing.among?.(all) ?? all;
  const data = await (output === "json" ? jsonList(items) : table(items, columns));
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

/** One answer of the service as it came. */
export async function rawFile(
  ctx: Ctx<unknown>,
  method: Method,
  params: Listing["params"],
): Promise<Files> {
  const answer = await loosened(ctx.video).call(method, params, { signal: ctx.signal });
  return files({
    title: ctx.words.say("common.raw.title"),
    text: ctx.words.say("common.raw.text", { method }),
    files: [
      { name: `${fileName(method)}.json`, data: Buffer.from(JSON.stringify(answer, null, 2)) },
    ],
  });
}

async function readAll(ctx: Ctx<unknown>, { method, params }: Listing) {
  const row: MethodSpec = methods[method];
  const video = loosened<Page>(ctx.video);
  const { signal } = ctx;
  if (row.query.pageToken === undefined || params.id !== undefined) {
    const { items = [] } = await video.call(method, params, { signal });
    return { items, isCut: false };
  }
  const items: never[] = [];
  let isCut = false;
  const maxPages = row.bucket === "searches" ? mostSearches : mostPages;
  const maxResults = row.query.maxResults?.max ?? 50;
  const given = { ...params, maxResults };
  for await (const page of video.pages(method, given, { signal, maxPages })) {
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
