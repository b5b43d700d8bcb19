import { type MethodSpec, methods, type Params } from "../../video/index.ts";
import { type Action, action } from "../declare/command.ts";
import type { Ctx } from "../declare/ctx.ts";
import { type Extra, refusePaging, requirePageSize, withExtra } from "../declare/extra.ts";
import { askedParts, partColumns, partLines } from "../draw/cards/asked-parts.ts";
import { type Button, type Item, type List, list, type Press, type Reply } from "../draw/reply.ts";
import { join, type Text } from "../draw/text.ts";
import type { Words } from "../draw/words.ts";
import type { At, BrowseSpec, ItemOf, ListMethod } from "./browse-spec.ts";
import { listFile, rawFile } from "./list-file.ts";
import { missingIds } from "./missing-ids.ts";
import type { Columns } from "./table.ts";

/** What a list is about. */
interface ListQuery<Q> {
  readonly query: Q;
  readonly extra: Extra;
}

/** Where somebody is in it. */
interface Browsing<Q> extends ListQuery<Q> {
  /** Tokens of the pages up to this one; the first page has none. */
  readonly tokens: readonly (string | null)[];
  /** Which page of those that the answer makes, when it is longer than a page. */
  readonly chunk: number;
}

interface Saving<Q> extends ListQuery<Q> {
  readonly output: "csv" | "json";
}

export interface Browse<Q> {
  /** As `ctx.output` wants it: the first page, or a file. */
  open(ctx: Ctx<unknown>, query: Q): Promise<Reply>;
  /** To be declared with the command. */
  readonly actions: readonly Action<never>[];
}

/** How many things a page shows; with a picture and two buttons each, more would not fit into a message. */
export const perPage = 5;

/** A list as its functions see it: how it was declared, and the presses of its pages. */
interface Browser<M extends ListMethod, Q, F> {
  readonly spec: BrowseSpec<M, Q, F>;
  /** How many entries a page shows. */
  readonly size: number;
  readonly turn: (browsing: Browsing<Q>) => Press;
  readonly save: (saving: Saving<Q>) => Press;
}

/**
 * A list that is leafed through with Previous and Next, saved as CSV or JSON, or answered as it came. Somebody else who
 * presses gets a copy of their own.
 */
export function browse<M extends ListMethod, Q, F = ItemOf<M>>(
  spec: BrowseSpec<M, Q, F>,
): Browse<Q> {
  const { name, row } = spec;
  const uses = spec.uses === undefined ? {} : { uses: spec.uses };
  const turn = action<Browsing<Q>>({
    ...{ name, answer: "update", by: "each", row, ...uses },
    run: (ctx, browsing) => page(browser, ctx, browsing),
  });
  const save = action<Saving<Q>>({
    ...{ name: `${name}.save`, answer: "private", by: "anyone", row, ...uses },
    run: (ctx, saving) => file(browser, ctx, saving),
  });
  const size = spec.perPage ?? perPage;
  const browser: Browser<M, Q, F> = { spec, size, turn: turn.press, save: save.press };
  return { actions: [turn, save], open: (ctx, query) => open(browser, ctx, query) };
}

function open<M extends ListMethod, Q, F>(
  browser: Browser<M, Q, F>,
  ctx: Ctx<unknown>,
  query: Q,
): Promise<Reply> {
  const { spec, size } = browser;
  const { extra } = ctx;
  const isEndless = spec.isEndless?.(query) === true;
  const output = isEndless && ctx.output !== "raw" ? "list" : ctx.output;
  switch (output) {
    case "raw":
      return raw(spec, ctx, query);
    case "csv":
    case "json":
      refusePaging(extra, "file");
      return file(browser, ctx, { query, extra, output });
    case "list": {
      requirePageSize(extra, size);
      const first = (extra.query.pageToken as string | undefined) ?? null;
      return page(browser, ctx, { query, extra, tokens: [first], chunk: 0 });
    }
  }
}

async function page<M extends ListMethod, Q, F>(
  browser: Browser<M, Q, F>,
  ctx: Ctx<unknown>,
  browsing: Browsing<Q>,
): Promise<List> {
  const { spec, size } = browser;
  const { query, extra, tokens, chunk } = browsing;
  const { words } = ctx;
  const read = await readPage(browser, ctx, browsing);
  const shown = read.among.slice(chunk * size, (chunk + 1) * size);
  const found = spec.found === undefined ? shown : await spec.found(shown, ctx, query);
  const before = (tokens.length - 1) * read.pageSize + chunk * size;
  const at = (index: number): At<Q> => ({ query, words, ctx, place: before + index + 1 });
  const parts = askedFor(spec, ctx, { query, extra });
  const text = below([spec.text?.(query, words), missingIds(read.params, read.items, words)]);
  const turns = turnsOf(browser, browsing, read);
  const isSaved = shown.length > 0 && spec.isEndless?.(query) !== true;
  const number = tokens.length + chunk;
  return list({
    title: spec.title(query, words),
    ...(text === undefined ? {} : { text }),
    items: found.map((one, index) =>
      withParts(spec.item(one as F, at(index)), shown[index] ?? {}, parts),
    ),
    empty: spec.empty(words, query),
    ...(turns.back || turns.on ? { footer: words.say("common.page", { page: number }) } : {}),
    ...(spec.selects === undefined ? {} : { selects: spec.selects(found as F[], at(0)) }),
    ...(spec.isPrivate?.(query) === true ? { isPrivate: true } : {}),
    buttons: [
      ...(turns.back ? [{ label: words.say("common.previous"), press: turns.back }] : []),
      ...(turns.on ? [{ label: words.say("common.next"), press: turns.on }] : []),
      ...(isSaved ? saveButtons(browser, browsing, words) : []),
    ],
  });
}

interface PageRead {
  /** What was asked, paging left out. */
  readonly params: object;
  /** How many entries the service was asked for. */
  readonly pageSize: number;
  readonly items: readonly never[];
  /** Those of the entries that are wanted. */
  readonly among: readonly never[];
  readonly nextPageToken: string | undefined;
}

async function readPage<M extends ListMethod, Q, F>(
  { spec, size }: Browser<M, Q, F>,
  ctx: Ctx<unknown>,
  { query, extra, tokens }: Browsing<Q>,
): Promise<PageRead> {
  const { given, hasIds } = unpaged(asked(spec, ctx, { query, extra }));
  if (hasIds) refusePaging(extra, "ids");
  const pageSize = Math.min(size, (given as { maxResults?: number }).maxResults ?? size);
  const token = tokens.at(-1) ?? undefined;
  const row: MethodSpec = methods[spec.row];
  const isPaged = row.query.pageToken !== undefined && !hasIds;
  const paging = { maxResults: pageSize, ...(token === undefined ? {} : { pageToken: token }) };
  const params = { ...given, ...(isPaged ? paging : {}) } as Params<M>;
  const { items = [], nextPageToken } = await answerOf(ctx, spec.row, params);
  const among = (spec.among?.(items, query, ctx.words) ?? items) as readonly never[];
  return {
    params: given,
    ...{ pageSize, items, among },
    nextPageToken: hasIds ? undefined : nextPageToken,
  };
}

/** The presses for the page before and the page after, where there are such pages. */
function turnsOf<M extends ListMethod, Q, F>(
  { size, turn }: Browser<M, Q, F>,
  { query, extra, tokens, chunk }: Browsing<Q>,
  { among, nextPageToken }: PageRead,
): { readonly back: Press | undefined; readonly on: Press | undefined } {
  const to = (tokens: Browsing<Q>["tokens"], chunk: number) =>
    turn({ query, extra, tokens, chunk });
  const earlier = tokens.length > 1 ? to(tokens.slice(0, -1), 0) : undefined;
  const later = nextPageToken === undefined ? undefined : to([...tokens, nextPageToken], 0);
  return {
    back: chunk > 0 ? to(tokens, chunk - 1) : earlier,
    on: among.length > (chunk + 1) * size ? to(tokens, chunk + 1) : later,
  };
}

function saveButtons<M extends ListMethod, Q, F>(
  { save }: Browser<M, Q, F>,
  { query, extra }: ListQuery<Q>,
  words: Words,
): readonly Button[] {
  return (["csv", "json"] as const).map((output) => ({
    label: words.say(`common.${output}`),
    press: save({ query, extra, output }),
  }));
}

function file<M extends ListMethod, Q, F>(
  { spec }: Browser<M, Q, F>,
  ctx: Ctx<unknown>,
  { query, extra, output }: Saving<Q>,
): Promise<Reply> {
  const {
    maxResults: _,
    pageToken: __,
    ...params
  } = asked(spec, ctx, { query, extra }) as Readonly<Record<string, unknown>>;
  const { row: method, columns, title, among } = spec;
  const parts = askedFor(spec, ctx, { query, extra });
  return listFile(ctx, {
    ...{ method, params, output },
    columns: { ...columns, ...partColumns(parts) } as Columns<never>,
    ...(among && {
      among: (items: readonly never[]) => among(items, query, ctx.words) as never[],
    }),
    name: title(query, ctx.words),
    empty: spec.empty(ctx.words, query),
    isPrivate: spec.isPrivate?.(query) === true,
  });
}

async function raw<M extends ListMethod, Q, F>(
  spec: BrowseSpec<M, Q, F>,
  ctx: Ctx<unknown>,
  query: Q,
): Promise<Reply> {
  const answer = await rawFile(ctx, spec.row, asked(spec, ctx, { query, extra: ctx.extra }));
  return spec.isPrivate?.(query) === true ? { ...answer, isPrivate: true } : answer;
}

function asked<M extends ListMethod, Q, F>(
  spec: BrowseSpec<M, Q, F>,
  ctx: Ctx<unknown>,
  { query, extra }: ListQuery<Q>,
): Params<M> {
  return withExtra(spec.params(query, ctx), extra);
}

/** The parts that `extra` adds to those that are read anyway. */
function askedFor<M extends ListMethod, Q, F>(
  spec: BrowseSpec<M, Q, F>,
  ctx: Ctx<unknown>,
  { query, extra }: ListQuery<Q>,
): readonly string[] {
  const { part = [] } = spec.params(query, ctx) as { readonly part?: readonly string[] };
  return askedParts(extra, part);
}

/** The service takes no paging beside ids. */
function unpaged<P extends object>(given: P): { readonly given: P; readonly hasIds: boolean } {
  const { maxResults: _, pageToken: __, ...rest } = given as Readonly<Record<string, unknown>>;
  const hasIds = rest.id !== undefined;
  return { given: hasIds ? (rest as P) : given, hasIds };
}

/** The lines below a title, where there are any. */
function below(lines: readonly (Text | undefined)[]): Text | undefined {
  const said = lines.filter((line) => line !== undefined && line !== "");
  return said.length === 0 ? undefined : join(said as readonly Text[], "\n");
}

/** With what the entry says of the parts that somebody asked for. */
function withParts(item: Item, entry: object, parts: readonly string[]): Item {
  return parts.length === 0
    ? item
    : { ...item, lines: [...item.lines, ...partLines(entry, parts)] };
}

interface Answer {
  readonly items?: readonly never[];
  readonly nextPageToken?: string;
}

/** The row is a type parameter here, so its answer is known to be a list and no more. */
function answerOf<M extends ListMethod>(
  ctx: Ctx<unknown>,
  row: M,
  params: Params<M>,
): Promise<Answer> {
  return ctx.video.call(row, params, { signal: ctx.signal }) as Promise<Answer>;
}
