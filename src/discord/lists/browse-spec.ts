import type { Method, Params, Result } from "../../video/index.ts";
import type { Ctx } from "../declare/ctx.ts";
import type { Item, Select } from "../draw/reply.ts";
import type { Text } from "../draw/text.ts";
import type { Words } from "../draw/words.ts";
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
