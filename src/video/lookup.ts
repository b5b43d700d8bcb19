import type { LookupSpec } from "./methods/spec.ts";
import { at } from "./place.ts";
import type { Page } from "./resources/index.ts";
import type { Given } from "./split.ts";

/**
 * The service cuts its times to whole seconds, and clocks that are kept right differ a little. More would take an equal
 * thing that was made shortly before for the lost one.
 */
const skewMs = 5_000;
/** How far the service's clock is believed to be behind; what differs by more is no clock. */
const maxBehindMs = 10 * 60_000;
/** A list that goes on beyond these pages was not looked through. */
const maxPages = 10;

export interface Looking {
  readonly lookup: LookupSpec;
  /** The body that was sent. */
  readonly sent: unknown;
  /** Parameters of the call that decide in whose name it looks. */
  readonly onBehalf: Given;
  /** When the call began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly list: (params: Given) => Promise<Listed>;
}

/** One page of what there is. */
export interface Listed {
  readonly page: Page<unknown>;
  /** How far the service's clock is behind ours, in milliseconds; negative when it is ahead, NaN when it does not say. */
  readonly behindMs: number;
}

/** What a look came to. `unsure` when there was more than it could see. */
export type Found =
  | { readonly is: "there"; readonly resource: unknown }
  | { readonly is: "absent" | "unsure" };

/** Looks for what a create whose answer was lost may have made. */
export async function lookFor({
  lookup,
  sent,
  onBehalf,
  startedAt,
  list,
}: Looking): Promise<Found> {
  const seen = new Set<string>();
  let params: Given = { ...onBehalf, ...lookupParams(lookup, sent) };
  for (let pages = 1; pages <= maxPages; pages++) {
    const { page, behindMs } = await list(params);
    const { items, nextPageToken } = page;
    const since = startedAt - skewMs - (behindMs > 0 && behindMs < maxBehindMs ? behindMs : 0);
    const resource = items.find((item) => isTheSame(lookup, { item, sent, since }));
    if (resource !== undefined) return { is: "there", resource };
    const isPast = lookup.params.order === "time" && madeAt(lookup, items.at(-1)) < since;
    if (!nextPageToken || seen.has(nextPageToken) || isPast) return { is: "absent" };
    seen.add(nextPageToken);
    params = { ...params, pageToken: nextPageToken };
  }
  return { is: "unsure" };
}

function lookupParams({ params, from = {} }: LookupSpec, sent: unknown): Given {
  const copied = Object.entries(from)
    .map(([name, place]) => [name, at(sent, place)] as const)
    .filter(([, value]) => value !== undefined);
  return { ...params, ...Object.fromEntries(copied) };
}

function isTheSame(
  lookup: LookupSpec,
  { item, sent, since }: { item: unknown; sent: unknown; since: number },
): boolean {
  // What carries no time can't be told from what was there before.
  if (lookup.madeAt !== undefined && !(madeAt(lookup, item) >= since)) return false;
  return lookup.same.every((place) => isEqual(at(sent, place), at(item, place)));
}

/** Milliseconds since the epoch, or NaN when it does not say. */
function madeAt({ madeAt: place }: LookupSpec, item: unknown): number {
  return place === undefined ? Number.NaN : Date.parse(String(at(item, place)));
}

/** What was left open may have become anything; the service adds to objects and trims texts. */
function isEqual(sent: unknown, listed: unknown): boolean {
  if (sent === undefined) return true;
  if (typeof sent === "string" && typeof listed === "string") return plain(sent) === plain(listed);
  if (typeof sent !== "object" || sent === null) return sent === listed;
  return Object.entries(sent).every(([name, value]) => isEqual(value, at(listed, [name])));
}

function plain(text: string): string {
  return text.normalize().replace(/\s+/g, " ").trim();
}
