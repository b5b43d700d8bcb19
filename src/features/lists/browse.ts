import {
  join,
  type ListReply,
  list,
  type Press,
  type Reply,
  type Words,
} from "../../discord/index.ts";
import { type MethodSpec, maxEmptyPages, methods } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import { action, type FeatureAction } from "../declarations/index.ts";
import {
  type Extra,
  partColumns,
  partLines,
  refusePaging,
  requestedParts,
  requirePageSize,
  withExtra,
} from "../extra/index.ts";
import { type BatchPage, pagesBeside, pagesIn } from "./batch-page.ts";
import type { BrowseSpec, ItemOf, ListMethod, ListPosition } from "./browse-spec.ts";
import { listFile, missingIds, rawFile } from "./list-file.ts";
import type { Columns } from "./table.ts";

/** What a list is about. `browse` has checked that a list's declaration fits together; inside, types of its own would only be passed on. */
interface ListQuery<Q = never> {
  readonly query: Q;
  readonly extra: Extra;
}

type AnySpec = BrowseSpec<ListMethod, never, never>;

/** Which page of the list somebody sees. */
interface Browsing<Q = never> extends ListQuery<Q>, BatchPage {
  /** How many entries the batches before this one have; absent where each was a page. */
  readonly counts?: readonly number[];
}

interface Saving<Q = never> extends ListQuery<Q> {
  readonly output: "csv" | "json";
}

export interface BrowsableList<Q> {
  /** The first page, or a file, as `ctx.output` says. */
  open(ctx: Ctx<unknown>, query: Q): Promise<Reply>;
  /** The command has to declare them. */
  readonly actions: readonly FeatureAction<never>[];
}

/** How many entries a page shows; with a picture and two buttons each, more would not fit into a message. */
export const perPage = 5;

/** A list's declaration, and the presses of its pages. */
interface Browser {
  readonly spec: AnySpec;
  readonly turn: (browsing: Browsing) => Press;
  readonly save: (saving: Saving) => Press;
}

/**
 * A list with Previous and Next, which can be saved as CSV or JSON, or shown as YouTube returned it. Somebody else
 * who presses a button gets a copy of their own.
 */
export function browse<M extends ListMethod, Q, F = ItemOf<M>>(
  spec: BrowseSpec<M, Q, F>,
): BrowsableList<Q> {
  const { name, method } = spec;
  const uses = spec.uses === undefined ? {} : { uses: spec.uses };
  const turn = action<Browsing>({
    name,
    by: "each",
    method,
    ...uses,
    turnsPage: true,
    run: (ctx, browsing) => page(browser, ctx, browsing),
  });
  const save = action<Saving>({
    name: `${name}.save`,
    answer: "private",
    by: "anyone",
    method,
    ...uses,
    run: (ctx, saving) => file(browser, ctx, saving),
  });
  const browser: Browser = { spec: spec as unknown as AnySpec, turn: turn.press, save: save.press };
  return { actions: [turn, save], open: (ctx, query) => open(browser, ctx, query as never) };
}

async function open(browser: Browser, ctx: Ctx<unknown>, query: never): Promise<Reply> {
  const { spec } = browser;
  const { extra } = ctx;
  const output = isEndless(spec, query) && ctx.output !== "raw" ? "list" : ctx.output;
  switch (output) {
    case "raw": {
      const answer = await rawFile(ctx, spec.method, paramsFor(spec, ctx, { query, extra }));
      return describeList(spec, ctx.words, query).isPrivate
        ? { ...answer, isPrivate: true }
        : answer;
    }
    case "csv":
    case "json":
      refusePaging(extra, "file");
      return file(browser, ctx, { query, extra, output });
    case "list": {
      requirePageSize(extra, entriesPerPage(spec, query));
      const first = (extra.query.pageToken as string | undefined) ?? null;
      return page(browser, ctx, { query, extra, tokens: [first], chunk: 0 });
    }
  }
}

async function page(browser: Browser, ctx: Ctx<unknown>, wanted: Browsing): Promise<ListReply> {
  const { spec } = browser;
  const { words } = ctx;
  const { title, empty, isPrivate } = describeList(spec, words, wanted.query);
  const { batch, browsing } = await readFilledBatch(browser, ctx, wanted);
  const { query, extra } = browsing;
  const { size, entries } = batch;
  const chunk = Math.min(browsing.chunk, pagesIn(entries.length, size) - 1);
  const shown = entries.slice(chunk * size, (chunk + 1) * size);
  const drawn = shown.map(({ found }) => found);
  const counts = browsing.counts ?? browsing.tokens.slice(1).map(() => size);
  const before = sum(counts) + chunk * size;
  const at = (index: number): ListPosition<never> => ({
    query,
    words,
    ctx,
    place: before + index + 1,
  });
  const parts = addedParts(spec, ctx, { query, extra });
  const notes = [spec.text?.(query, words), missingIds(batch.params, batch.items, words)];
  const lines = notes.filter((line) => line !== undefined && line !== "");
  const turns = turnPresses(browser, { ...browsing, chunk, counts }, batch);
  const isSaved = shown.length > 0 && !isEndless(spec, query);
  const number = sum(counts.map((count) => pagesIn(count, size))) + chunk + 1;
  return list({
    title,
    text: lines.length === 0 ? undefined : join(lines),
    items: shown.map(({ found, item }, index) => {
      const drawn = spec.item(found, at(index));
      return { ...drawn, lines: [...drawn.lines, ...partLines(item, parts)] };
    }),
    empty:
      turns.on && !isEndless(spec, query)
        ? words.say("common.empty_page")
        : number > 1
          ? words.say("common.no_more")
          : empty,
    footer: turns.back || turns.on ? words.say("common.page", { page: number }) : undefined,
    selects: spec.selects?.(drawn, at(0)),
    isPrivate,
    buttons: [
      ...(turns.back ? [{ label: words.say("common.previous"), press: turns.back }] : []),
      ...(turns.on ? [{ label: words.say("common.next"), press: turns.on }] : []),
      ...(isSaved
        ? (["csv", "json"] as const).map((output) => ({
            label: words.say(`common.${output}`),
            press: browser.save({ query: browsing.query, extra: browsing.extra, output }),
          }))
        : []),
    ],
  });
}

/** What a list is called, what it says when it is empty, and whether it is for the person alone. */
function describeList({ title, empty, isPrivate }: AnySpec, words: Words, query: never) {
  return {
    title: typeof title === "string" ? words.say(title) : title(query, words),
    empty: typeof empty === "string" ? words.say(empty) : empty(words, query),
    isPrivate: typeof isPrivate === "function" ? isPrivate(query) : isPrivate === true,
  };
}

/** Whether each page has a next one, which is for what comes later. */
function isEndless(spec: AnySpec, query: never): boolean {
  return spec.isEndless?.(query) === true;
}

function entriesPerPage({ perPage: most = perPage }: AnySpec, query: never): number {
  return typeof most === "function" ? most(query) : most;
}

/** What one call returns: as many entries as it may, for many pages. */
interface Batch {
  /** The call's parameters, without paging. */
  readonly params: object;
  readonly size: number;
  readonly items: readonly never[];
  /** What is drawn, each with YouTube's entry. */
  readonly entries: readonly { readonly item: object; readonly found: never }[];
  readonly nextPageToken: string | undefined;
}

/**
 * The batch, or the first after it that has entries, in its place. A search is made only once: a day has a hundred of them,
 * and nobody agreed to more.
 */
async function readFilledBatch(
  browser: Browser,
  ctx: Ctx<unknown>,
  wanted: Browsing,
): Promise<{ readonly batch: Batch; readonly browsing: Browsing }> {
  const isSearch = methods[browser.spec.method].bucket === "searches";
  const most = isSearch || isEndless(browser.spec, wanted.query) ? 0 : maxEmptyPages;
  let browsing = wanted;
  let batch = await readBatch(browser, ctx, browsing);
  for (let passed = 0; passed < most; passed++) {
    const { entries, nextPageToken } = batch;
    const isEnd = nextPageToken === undefined || browsing.tokens.includes(nextPageToken);
    if (entries.length > 0 || isEnd) break;
    browsing = { ...browsing, tokens: browsing.tokens.with(-1, nextPageToken), chunk: 0 };
    batch = await readBatch(browser, ctx, browsing);
  }
  return { batch, browsing };
}

async function readBatch(
  { spec }: Browser,
  ctx: Ctx<unknown>,
  { query, extra, tokens }: Browsing,
): Promise<Batch> {
  const size = entriesPerPage(spec, query);
  const { params: ownParams, hasIds } = unpaged(paramsFor(spec, ctx, { query, extra }));
  if (hasIds) refusePaging(extra, "ids");
  const { maxResults = size, ...params } = ownParams as { readonly maxResults?: number };
  const token = tokens.at(-1) ?? undefined;
  const methodSpec: MethodSpec = methods[spec.method];
  const isPaged = methodSpec.query.pageToken !== undefined && !hasIds;
  const most = methodSpec.query.maxResults?.max;
  const paging = {
    ...(most === undefined ? {} : { maxResults: most }),
    ...(token === undefined ? {} : { pageToken: token }),
  };
  // The client checks the parameters, and that a list is answered.
  const wanted = { ...params, ...(isPaged ? paging : {}) } as never;
  const answer = await ctx.video.call(spec.method, wanted, { signal: ctx.signal });
  const { items = [], nextPageToken } = answer as unknown as ListAnswer;
  const among = spec.among?.(items, query, ctx.words) ?? items;
  const found = spec.found === undefined ? among : await spec.found(among, ctx, query);
  return {
    params,
    size: Math.min(size, maxResults),
    items,
    entries: among.flatMap((item, index) => {
      const one = found[index] as never | undefined;
      return one === undefined ? [] : [{ item, found: one }];
    }),
    nextPageToken: hasIds ? undefined : nextPageToken,
  };
}

/** The presses for the page before and the page after, where there are such pages. */
function turnPresses(
  { turn }: Browser,
  browsing: Browsing & { readonly counts: readonly number[] },
  { entries, nextPageToken, size }: Batch,
): { readonly back: Press | undefined; readonly on: Press | undefined } {
  const pages = pagesIn(entries.length, size);
  const { before, after } = pagesBeside(browsing, { pages, nextPageToken });
  const counts = [...browsing.counts, entries.length];
  const turnTo = (page: BatchPage | undefined) =>
    page && turn({ ...browsing, ...page, counts: counts.slice(0, page.tokens.length - 1) });
  return { back: turnTo(before), on: turnTo(after) };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function file(
  { spec }: Browser,
  ctx: Ctx<unknown>,
  { query, extra, output }: Saving,
): Promise<Reply> {
  const { maxResults: _, pageToken: __, ...params } = paramsFor(spec, ctx, { query, extra });
  const { method, columns, among } = spec;
  const { title: name, empty, isPrivate } = describeList(spec, ctx.words, query);
  const parts = addedParts(spec, ctx, { query, extra });
  return listFile(ctx, {
    method,
    params,
    output,
    columns: { ...columns, ...partColumns(parts) } as Columns<never>,
    ...(among && { among: (items: readonly never[]) => among(items, query, ctx.words) as never[] }),
    name,
    empty,
    isPrivate,
  });
}

type ListParams = Readonly<Record<string, unknown>>;

function paramsFor(spec: AnySpec, ctx: Ctx<unknown>, { query, extra }: ListQuery): ListParams {
  return withExtra(spec.params(query, ctx), extra);
}

/** The parts that `extra` adds to those that are read anyway. */
function addedParts(
  spec: AnySpec,
  ctx: Ctx<unknown>,
  { query, extra }: ListQuery,
): readonly string[] {
  const { part = [] } = spec.params(query, ctx) as { readonly part?: readonly string[] };
  return requestedParts(extra, part);
}

/** YouTube accepts no paging together with ids. */
function unpaged(params: ListParams): { readonly params: ListParams; readonly hasIds: boolean } {
  if (params.id === undefined) return { params, hasIds: false };
  const { maxResults: _, pageToken: __, ...rest } = params;
  return { params: rest, hasIds: true };
}

interface ListAnswer {
  readonly items?: readonly never[];
  readonly nextPageToken?: string;
}
