import type { Ctx } from "../discord/index.ts";
import { InputError } from "../errors.ts";

/** Options of a search, and parameters, that only say how results come, and not which. */
const ways: ReadonlySet<string> = new Set([
  "order",
  "safe_search",
  "language",
  "region",
  "maxResults",
  "pageToken",
]);

/**
 * The service answers anything at all to a search for nothing, and a day has a hundred searches.
 * @throws InputError `nothing_sought` where neither words nor a filter were given
 */
export function requireSearchFilter({
  options,
  extra,
}: Pick<Ctx<Readonly<Record<string, unknown>>>, "options" | "extra">): void {
  const given = Object.entries(options).filter(([, value]) => Boolean(value));
  const filters = [...given.map(([name]) => name), ...Object.keys(extra.query)];
  if (filters.some((name) => !ways.has(name))) return;
  throw new InputError("neither words nor a filter", {
    code: "nothing_sought",
    hint: "Enter words to search for, or choose a filter, such as a channel, a category or a date.",
  });
}
