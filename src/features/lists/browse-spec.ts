import type { ReplyItem, Select, Text, Words } from "../../discord/index.ts";
import type { MessageKey } from "../../language/index.ts";
import type { Method, MethodParams, MethodResult } from "../../video/index.ts";
import type { Ctx } from "../context/index.ts";
import type { Columns } from "./table.ts";

/** Methods whose answer is a list. */
export type ListMethod = {
  [M in Method]: MethodResult<M> extends { readonly items: readonly unknown[] } ? M : never;
}[Method];

/** One entry as YouTube returns it. */
export type ItemOf<M extends ListMethod> =
  MethodResult<M> extends { readonly items: readonly (infer I)[] } ? I : never;

export interface BrowseSpec<M extends ListMethod, Q, F> {
  /** Name of the action that turns pages. */
  readonly name: string;
  readonly method: M;
  /** Methods that `found` calls. */
  readonly uses?: readonly Method[];
  /** The call's parameters, without paging. `query` is JSON-shaped. */
  readonly params: (query: Q, ctx: Ctx<unknown>) => MethodParams<M>;
  /** Filters and sorts the entries; for lists that come in one page. */
  readonly among?: (items: readonly ItemOf<M>[], query: Q, words: Words) => readonly ItemOf<M>[];
  /**
   * Makes what is drawn of each entry, undefined for one that is left out, and may read more about them: it gets all that
   * one call returned, for many pages. The entries themselves when absent.
   */
  readonly found?: (
    items: readonly ItemOf<M>[],
    ctx: Ctx<unknown>,
    query: Q,
  ) => Promise<readonly (F | undefined)[]> | readonly (F | undefined)[];
  readonly title: MessageKey | ((query: Q, words: Words) => string);
  /** A line below the title. */
  readonly text?: (query: Q, words: Words) => Text | undefined;
  readonly item: (found: F, at: ListPosition<Q>) => ReplyItem;
  readonly empty: MessageKey | ((words: Words, query: Q) => Text);
  /** Selects and buttons of the page, above Previous and Next. */
  readonly selects?: (found: readonly F[], at: ListPosition<Q>) => readonly Select[];
  /** Columns of the CSV file, by their names; every entry is a line. */
  readonly columns: Columns<ItemOf<M>>;
  /** Whether the page is for the person alone, because it holds private data. */
  readonly isPrivate?: true | ((query: Q) => boolean);
  /** Whether the list never ends, so that no file can hold it. */
  readonly isEndless?: (query: Q) => boolean;
  /** How many entries a page shows; 5 when absent, so that each may carry two buttons and a picture. */
  readonly perPage?: number | ((query: Q) => number);
}

/** Where an item is drawn. */
export interface ListPosition<Q> {
  readonly query: Q;
  readonly words: Words;
  readonly ctx: Ctx<unknown>;
  /** Place in the whole list, from 1. */
  readonly place: number;
}
