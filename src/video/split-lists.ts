import { InputError } from "../errors.ts";
import { describeValue } from "./check/parameter-errors.ts";
import type { CallParams, MethodSpec } from "./methods/spec.ts";
import type { ResourcePage } from "./resources/index.ts";

/**
 * Splits a long list of ids into several calls, each with as many as one call takes; `undefined` when one call will do.
 * @throws InputError `too_many_items` for a write, because a write must not become several without the caller knowing.
 */
export function splitLists(
  method: string,
  methodSpec: MethodSpec,
  params: CallParams,
): CallParams[] | undefined {
  if (methodSpec.result?.kind !== "list" && methodSpec.effect === "read") return undefined;
  const [name, maxItems] = boundedList(methodSpec, params);
  const values: unknown = name === undefined ? undefined : params[name];
  if (name === undefined || !Array.isArray(values)) return undefined;
  if (methodSpec.effect !== "read") {
    if (values.length > maxItems)
      throw tooMany(method, name, { maxItems, was: describeValue(values) });
    return undefined;
  }
  if (values.length <= maxItems && params.pageToken !== undefined) return undefined;
  // One call returns a repeated id once; two calls would return it twice.
  const uniqueValues = [...new Set(values)];
  const calls: CallParams[] = [];
  for (let at = 0; at < uniqueValues.length; at += maxItems) {
    calls.push({ ...params, [name]: uniqueValues.slice(at, at + maxItems) });
  }
  return calls.length === 0 ? undefined : calls;
}

/** Joins pages into one: all items in order, and no page token. */
export function mergePages<Item>(pages: readonly ResourcePage<Item>[]): ResourcePage<Item> {
  const [first] = pages;
  if (first === undefined) return { items: [] };
  if (pages.length === 1) return first;
  const { nextPageToken: _next, prevPageToken: _previous, etag: _etag, ...rest } = first;
  const items = pages.flatMap((page) => page.items);
  return { ...rest, items, pageInfo: { totalResults: items.length, resultsPerPage: items.length } };
}

function boundedList(methodSpec: MethodSpec, params: CallParams): [string | undefined, number] {
  for (const name in params) {
    const spec = Object.hasOwn(methodSpec.query, name) ? methodSpec.query[name] : undefined;
    if (params[name] === undefined) continue;
    if (spec?.repeated && spec.maxItems !== undefined) return [name, spec.maxItems];
  }
  return [undefined, 0];
}

interface TooManyItems {
  readonly maxItems: number;
  readonly was: string;
}

function tooMany(method: string, parameter: string, { maxItems, was }: TooManyItems): InputError {
  const allowed = `a list of at most ${maxItems}`;
  return new InputError(`${method}: \`${parameter}\` must be ${allowed}. It was ${was}.`, {
    code: "too_many_items",
    facts: { method, parameter, was, allowed, maxItems },
  });
}
