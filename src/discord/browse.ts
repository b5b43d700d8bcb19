import type { Method } from "../video/index.ts";
import { type Action, action, type Ctx } from "./command.ts";
import { type Item, type List, list } from "./reply.ts";
import type { Text } from "./text.ts";

/** One page as the service answered it, reduced to what its drawing needs; JSON-shaped. */
export interface BrowsePage<F> {
  readonly found: readonly F[];
  /** Token of the page after it. */
  readonly next?: string;
}

export interface BrowseSpec<Q, F> {
  /** Name of the action that turns pages. */
  readonly name: string;
  readonly row: Method;
  readonly look: (ctx: Ctx, query: Q, pageToken: string | undefined) => Promise<BrowsePage<F>>;
  readonly title: (query: Q) => string;
  readonly item: (found: F, locale: string) => Item;
  readonly empty: Text;
}

interface Browsing<Q, F> {
  readonly query: Q;
  /** Pages already seen are kept, so that going back costs nothing. */
  readonly seen: readonly BrowsePage<F>[];
  readonly to: number;
}

export interface Browse<Q> {
  /** The first page. */
  open(ctx: Ctx, query: Q): Promise<List>;
  /** To be declared with the command. */
  readonly turn: Action<never>;
}

/** How many things a page shows; with their buttons more would not fit into a message. */
export const perPage = 5;

/** A list that is leafed through with Previous and Next, by the person who asked. */
export function browse<Q, F>(spec: BrowseSpec<Q, F>): Browse<Q> {
  const turn = action<Browsing<Q, F>>({
    name: spec.name,
    answer: "update",
    by: "requester",
    row: spec.row,
    run: async (ctx, { query, seen, to }) => {
      const pages =
        to < seen.length ? seen : [...seen, await spec.look(ctx, query, seen.at(-1)?.next)];
      return draw({ query, seen: pages, to }, ctx.locale);
    },
  });

  function draw({ query, seen, to }: Browsing<Q, F>, locale: string): List {
    const page = seen[to];
    const more = page?.next !== undefined || to + 1 < seen.length;
    const step = (label: string, target: number) => ({
      label,
      press: turn.press({ query, seen, to: target }),
    });
    return list({
      title: spec.title(query),
      items: (page?.found ?? []).map((found) => spec.item(found, locale)),
      empty: spec.empty,
      ...(to > 0 || more ? { footer: `Page ${to + 1}` } : {}),
      buttons: [
        ...(to > 0 ? [step("Previous", to - 1)] : []),
        ...(more ? [step("Next", to + 1)] : []),
      ],
    });
  }

  return {
    open: async (ctx, query) =>
      draw({ query, seen: [await spec.look(ctx, query, undefined)], to: 0 }, ctx.locale),
    turn,
  };
}
