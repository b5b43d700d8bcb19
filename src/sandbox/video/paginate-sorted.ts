import { createHash } from "node:crypto";
import type { ApiCall } from "./call.ts";
import { badParameter } from "./refusal.ts";
import type { ApiResourcePage } from "./resource.ts";

interface SortedPageOptions<T> {
  /** The query: tokens of another one are refused. */
  readonly belongsTo: string;
  /** The text that the list is sorted by; no two items have the same. */
  readonly place: (thing: T) => string;
  /** Some methods go forward only. */
  readonly goesBack: boolean;
}

/**
 * One page of a list that changes between pages. A token holds the place at which the page before ended, not a
 * number of things: what arrives in front or is taken away in between neither repeats nor hides anything.
 */
export function paginateSorted<T>(
  call: ApiCall,
  all: readonly T[],
  walk: SortedPageOptions<T>,
): ApiResourcePage<T> {
  const size = call.query.integer("maxResults") ?? 5;
  const sorted = all
    .map((thing) => ({ thing, place: walk.place(thing) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1));
  const token = call.query.text("pageToken");
  const from = token === undefined ? undefined : readToken(token, walk.belongsTo);
  const start = from === undefined ? 0 : findStart(sorted, from, size);
  const page = sorted.slice(start, start + size);
  const [first] = page;
  const last = page.at(-1);
  const hasMore = last !== undefined && start + size < sorted.length;
  return {
    things: page.map(({ thing }) => thing),
    envelope: {
      ...(hasMore && { nextPageToken: makeToken({ after: last.place }, walk.belongsTo) }),
      ...(walk.goesBack &&
        first !== undefined &&
        start > 0 && { prevPageToken: makeToken({ before: first.place }, walk.belongsTo) }),
      pageInfo: { totalResults: all.length, resultsPerPage: size },
    },
  };
}

/** Where a page starts or ends. */
type PageStart = { readonly after: string } | { readonly before: string };

function findStart(
  sorted: readonly { readonly place: string }[],
  from: PageStart,
  size: number,
): number {
  const edge = "after" in from ? from.after : from.before;
  const isBeyond = ({ place }: { readonly place: string }): boolean =>
    "after" in from ? place > edge : place >= edge;
  const found = sorted.findIndex(isBeyond);
  const at = found < 0 ? sorted.length : found;
  return "after" in from ? at : Math.max(0, at - size);
}

export function makeToken(from: PageStart, belongsTo: string): string {
  return Buffer.from(JSON.stringify({ ...from, owner: hashOwner(belongsTo) })).toString(
    "base64url",
  );
}

export function readToken(token: string, belongsTo: string): PageStart {
  const { owner, after, before } = parse(token);
  if (owner === hashOwner(belongsTo) && typeof after === "string") return { after };
  if (owner === hashOwner(belongsTo) && typeof before === "string") return { before };
  const message = "The request specifies an invalid page token.";
  throw badParameter("pageToken", message, "invalidPageToken");
}

/** Whether a token is of this query, good or not. */
export function tokenBelongsTo(token: string, belongsTo: string): boolean {
  return parse(token).owner === hashOwner(belongsTo);
}

/** Whether it was made here at all. */
export function isPageToken(token: string): boolean {
  return typeof parse(token).owner === "string";
}

function hashOwner(belongsTo: string): string {
  return createHash("sha1").update(belongsTo).digest("base64url").slice(0, 8);
}

function parse(token: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(Buffer.from(token, "base64url").toString()) };
  } catch {
    return {};
  }
}

const farFuture = 9e15;

/** The place of something in a list with the newest, or the greatest, first. */
export function descending(value: number, id: string): string {
  return `${String(farFuture - Math.round(value)).padStart(16, "0")} ${id}`;
}
