import {
  type Method,
  type MethodSpec,
  methods,
  type Params,
  type Result,
} from "../../video/index.ts";
import { type Action, action } from "../declare/command.ts";
import type { Ctx } from "../declare/ctx.ts";
import { type Extra, refusePaging, requirePageSize, withExtra } from "../declare/extra.ts";
import { askedParts, partColumns, partLines } from "../draw/cards/asked-parts.ts";
import { type Item, type List, list, type Reply, type Select } from "../draw/reply.ts";
import { join, type Text } from "../draw/text.ts";
import type { Words } from "../draw/words.ts";
import { listFile, rawFile } from "./list-file.ts";
import { missingIds } from "./missing-ids.ts";
import type { Columns } from "./table.ts";

/** Methods whose answer is a list. */
export type ListMethod = {
  [M in Method]: Result<M> extends { readonly items: readonly unknown[] } ? M : never;
}[Method];

/** One entry as the service answers it. */
export type ItemOf<M extends ListMethod> =
  Result<M> extends { readonly items: readonly (infer I)[] } ? I : never;

export interface BrowseSpec<M extends ListMethod, Q, F> {
  /** Name of the action that turns pages. */
  readonly name: string;
  readonly row: M;
  /** Rows that `found` calls. */
  readonly uses?: readonly Method[];
  /** What is asked, paging left out. `query` is JSON-shaped. */
  readonly params: (query: Q, ctx: Ctx<unknown>) => Params<M>;
  /** Which of the entries are wanted, and in which order; for lists that come whole. */
  readonly among?: (items: readonly ItemOf<M>[], query: Q, words: Words) => readonly ItemOf<M>[];
  /** What drawing needs of the entries; may ask for more about them. The entries themselves when absent. */
  readonly found?: (
    items: readonly ItemOf<M>[],
    ctx: Ctx<unknown>,
    query: Q,
  ) => Promise<readonly F[]> | readonly F[];
  readonly title: (query: Q, words: Words) => string;
  /** A line below the title. */
  readonly text?: (query: Q, words: Words) => Text | undefined;
  readonly item: (found: F, at: At<Q>) => Item;
  readonly empty: (words: Words, query: Q) => Text;
  /** Selects and buttons of the page, above Previous and Next. */
  readonly selects?: (found: readonly F[], at: At<Q>) => readonly Select[];
  /** Columns of the file for tables, by their names; every entry of the service gives a row. */
  readonly columns: Columns<ItemOf<M>>;
  /** Whether the page is for the person alone, such as one that holds private things. */
  readonly isPrivate?: (query: Q) => boolean;
  /** Whether it has no end that a file could hold, such as news to come. */
  readonly isEndless?: (query: Q) => boolean;
  /** How many entries a page shows; 5 when absent, so that each may carry two buttons and a picture. */
  readonly perPage?: number;
}

/** Where an item is drawn. */
export interface At<Q> {
  readonly query: Q;
  readonly words: Words;
  readonly ctx: Ctx<unknown>;
  /** Place in the whole list, from 1. */
  readonly place: number;
}

interface Browsing<Q> {
  readonly query: Q;
  readonly extra: Extra;
  /** Tokens of the pages up to this one; the first page has none. */
  readonly tokens: readonly (string | null)[];
  /** Which page of those that the answer makes, when it is longer than a page. */
  readonly chunk: number;
}

interface Saving<Q> {
  readonly query: Q;
  readonly extra: Extra;
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

/**
 * A list that is leafed through with Previous and Next, saved as CSV or JSON, or answered as it came. Somebody else who
 * presses gets a copy of their own.
 */
export function browse<M extends ListMethod, Q, F = ItemOf<M>>(
  spec: BrowseSpec<M, Q, F>,
): Browse<Q> {
  const size = spec.perPage ?? perPage;
  const uses = spec.uses === undefined ? {} : { uses: spec.uses };
  const row: MethodSpec = methods[spec.row];
  const isPaged = row.query.pageToken !== undefined;

  const turn = action<Browsing<Q>>({
    name: spec.name,
    answer: "update",
    by: "each",
    row: spec.row,
    ...uses,
    run: (ctx, browsing) => page(ctx, browsing),
  });
  const save = action<Saving<Q>>({
    name: `${spec.name}.save`,
    answer: "private",
    by: "anyone",
    row: spec.row,
    ...uses,
    run: (ctx, { query, extra, output }) => file(ctx, { query, extra, output }),
  });

  function asked(ctx: Ctx<unknown>, query: Q, extra: Extra): Params<M> {
    return withExtra(spec.params(query, ctx), extra);
  }

  function askedFor(ctx: Ctx<unknown>, query: Q, extra: Extra): readonly string[] {
    const { part = [] } = spec.params(query, ctx) as { readonly part?: readonly string[] };
    return askedParts(extra, part);
  }

  async function page(ctx: Ctx<unknown>, browsing: Browsing<Q>): Promise<List> {
    const { query, extra, tokens, chunk } = browsing;
    const { words } = ctx;
    const { given, hasIds } = unpaged(asked(ctx, query, extra));
    const token = tokens.at(-1) ?? undefined;
    const few = Math.min(size, (given as { maxResults?: number }).maxResults ?? size);
    const parts = askedFor(ctx, query, extra);
    if (hasIds) refusePaging(extra, "ids");
    const paging =
      isPaged && !hasIds
        ? { maxResults: few, ...(token === undefined ? {} : { pageToken: token }) }
        : {};
    const params = { ...given, ...paging } as Params<M>;
    const answer = await answerOf(ctx, spec.row, params);
    const all = spec.among?.(answer.items ?? [], query, words) ?? answer.items ?? [];
    const shown = all.slice(chunk * size, (chunk + 1) * size);
    const found = spec.found === undefined ? shown : await spec.found(shown, ctx, query);
    const before = (tokens.length - 1) * few + chunk * size;
    const at = (index: number): At<Q> => ({ query, words, ctx, place: before + index + 1 });
    const next = hasIds ? undefined : answer.nextPageToken;
    const hasMoreHere = all.length > (chunk + 1) * size;
    const turned = (tokens: readonly (string | null)[], chunk: number) =>
      turn.press({ query, extra, tokens, chunk });
    const back =
      chunk > 0
        ? turned(tokens, chunk - 1)
        : tokens.length > 1
          ? turned(tokens.slice(0, -1), 0)
          : undefined;
    const on = hasMoreHere
      ? turned(tokens, chunk + 1)
      : next === undefined
        ? undefined
        : turned([...tokens, next], 0);
    const number = tokens.length + chunk;
    const text = below([spec.text?.(query, words), missingIds(given, answer.items ?? [], words)]);
    const isSaved = shown.length > 0 && spec.isEndless?.(query) !== true;
    const files = isSaved ? (["csv", "json"] as const) : [];
    return list({
      title: spec.title(query, words),
      ...(text === undefined ? {} : { text }),
      items: found.map((one, index) =>
        withParts(spec.item(one as F, at(index)), shown[index] ?? {}, parts),
      ),
      empty: spec.empty(words, query),
      ...(back || on ? { footer: words.say("common.page", { page: number }) } : {}),
      ...(spec.selects === undefined ? {} : { selects: spec.selects(found as F[], at(0)) }),
      ...(spec.isPrivate?.(query) === true ? { isPrivate: true } : {}),
      buttons: [
        ...(back ? [{ label: words.say("common.previous"), press: back }] : []),
        ...(on ? [{ label: words.say("common.next"), press: on }] : []),
        ...files.map((output) => ({
          label: words.say(`common.${output}`),
          press: save.press({ query, extra, output }),
        })),
      ],
    });
  }

  function file(ctx: Ctx<unknown>, { query, extra, output }: Saving<Q>): Promise<Reply> {
    const {
      maxResults: _,
      pageToken: __,
      ...params
    } = asked(ctx, query, extra) as Readonly<Record<string, unknown>>;
    const { row: method, columns, title, among } = spec;
    const name = title(query, ctx.words);
    const isPrivate = spec.isPrivate?.(query) === true;
    return listFile(ctx, {
      method,
      params,
      output,
      columns: { ...columns, ...partColumns(askedFor(ctx, query, extra)) } as Columns<never>,
      ...(among && {
        among: (items: readonly never[]) => among(items, query, ctx.words) as never[],
      }),
      name,
      empty: spec.empty(ctx.words, query),
      isPrivate,
    });
  }

  async function raw(ctx: Ctx<unknown>, query: Q): Promise<Reply> {
    const answer = await rawFile(ctx, spec.row, asked(ctx, query, ctx.extra));
    return spec.isPrivate?.(query) === true ? { ...answer, isPrivate: true } : answer;
  }

  return {
    actions: [turn, save],
    open: (ctx, query) => {
      const { extra } = ctx;
      const isEndless = spec.isEndless?.(query) === true;
      const output = isEndless && ctx.output !== "raw" ? "list" : ctx.output;
      switch (output) {
        case "raw":
          return raw(ctx, query);
        case "csv":
        case "json":
          refusePaging(extra, "file");
          return file(ctx, { query, extra, output });
        case "list": {
          requirePageSize(extra, size);
          const first = (extra.query.pageToken as string | undefined) ?? null;
          return page(ctx, { query, extra, tokens: [first], chunk: 0 });
        }
      }
    },
  };
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
