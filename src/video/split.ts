import { InputError } from "../errors.ts";
import { shown } from "./check/fault.ts";
import type { MethodSpec } from "./methods/spec.ts";
import type { Page } from "./resources/index.ts";

/** Parameters as they came in, before they are checked. */
export type Given = Readonly<Record<string, unknown>>;

/**
 * The calls that a list of ids needs, each within what one call takes; `undefined` when no such list was given.
 * @throws InputError `too_many_items` for a write, because a write is not split behind the caller's back.
 */
export function splitLists(method: string, row: MethodSpec, given: Given): Given[] | undefined {
  if (row.result?.kind !== "list" && row.effect === "read") return undefined;
  const [name, maxItems] = boundedList(row, given);
  const values: unknown = name === undefined ? undefined : given[name];
  if (name === undefined || !Array.isArray(values)) return undefined;
  if (row.effect !== "read") {
    if (values.length > maxItems) throw tooMany(method, name, { maxItems, was: shown(values) });
    return undefined;
  }
  if (values.length <= maxItems && given.pageToken !== undefined) return undefined;
  // What is asked for twice is answered once, and would be answered twice by two calls.
  const once = [...new Set(values)];
  const calls: Given[] = [];
  for (let at = 0; at < once.length; at += maxItems) {
    calls.push({ ...given, [name]: once.slice(at, at + maxItems) });
  }
  return calls.length === 0 ? undefined : calls;
}

/** One list out of many: all items in order, totals added up, nothing left to page through. */
export function mergePages<Item>(pages: readonly Page<Item>[]): Page<Item> {
  const [first] = pages;
  if (first === undefined) return { items: [] };
  if (pages.length === 1) return first;
  const { nextPageToken: _next, prevPageToken: _previous, etag: _etag, ...rest } = first;
  const items = pages.flatMap((page) => page.items);
  return { ...rest, items, pageInfo: { totalResults: items.length, resultsPerPage: items.length } };
}

function boundedList(row: MethodSpec, given: Given): [string | undefined, number] {
  for (const name in given) {
    const spec = Object.hasOwn(row.query, name) ? row.query[name] : undefined;
    if (given[name] === undefined) continue;
    if (spec?.repeated && spec.maxItems !== undefined) return [name, spec.maxItems];
  }
  return [undefined, 0];
}

interface TooMany {
  readonly maxItems: number;
  readonly was: string;
}

function tooMany(method: string, parameter: string, { maxItems, was }: TooMany): InputError {
  const allowed = `a list of at most ${maxItems}`;
  return new InputError(`${method}: \`${parameter}\` must be ${allowed}. It was ${was}.`, {
    code: "too_many_items",
    facts: { method, parameter, was, allowed, maxItems },
  });
}
