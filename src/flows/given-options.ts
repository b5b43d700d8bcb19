import type { Ctx, TextChannel } from "../discord/index.ts";
import { InputError } from "../errors.ts";

/**
 * Of options that exclude each other, more than one was given: told before anything is asked of a service.
 * @throws InputError `conflicting_parameters`
 */
export function requireOneOf(options: Readonly<Record<string, unknown>>): void {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  if (given.length <= 1) return;
  const choices = Object.keys(options).join(", ");
  throw new InputError(`${given.length} of ${choices} were given`, {
    code: "conflicting_parameters",
    hint: `Give at most one of these: ${choices}.`,
    facts: { rule: "at_most_one", choices, options: Object.keys(options).join(" ") },
  });
}

/** Between two moments lies something only when they come in their order. @throws InputError `date_order` */
export function requireOrder(after: Date | undefined, before: Date | undefined): void {
  if (after === undefined || before === undefined || after < before) return;
  throw new InputError("the first moment is not before the second", {
    code: "date_order",
    hint: "The first moment has to come before the second one. Swap them, or leave one out.",
  });
}

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

/** @throws InputError `channel_not_writable` */
export function requireWritableText({ name, isWritable }: TextChannel): void {
  if (isWritable) return;
  throw new InputError("the bot may not post in the chosen channel", {
    code: "channel_not_writable",
    hint: `Give me View Channel, Send Messages and Embed Links in #${name}, or choose another channel.`,
    facts: { channel: name },
  });
}
