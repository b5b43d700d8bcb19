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
  const name = Object.keys(params).find((one) => {
    const spec = Object.hasOwn(methodSpec.query, one) ? methodSpec.query[one] : undefined;
    return params[one] !== undefined && spec?.repeated && spec.maxItems !== undefined;
  });
  if (name === undefined) return undefined;
  const values = params[name];
  const { maxItems = Infinity } = methodSpec.query[name] ?? {};
  if (!Array.isArray(values)) return undefined;
  if (methodSpec.effect !== "read") {
    if (values.length <= maxItems) return undefined;
    const allowed = `a list of at most ${maxItems}`;
    const was = describeValue(values);
    throw new InputError(`${method}: \`${name}\` must be ${allowed}. It was ${was}.`, {
      code: "too_many_items",
      facts: { method, parameter: name, was, allowed, maxItems },
    });
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
