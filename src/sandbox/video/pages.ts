import { createHash } from "node:crypto";
import { badParameter } from "./api-error.ts";
import type { ApiCall } from "./call.ts";

export interface PageOptions<T> {
  /**
   * For lists that are sorted by a text, which no two items share: that text. Other lists are in the order in which
   * they come.
   */
  readonly place?: (thing: T) => string;
  /** Some methods give no token of the page before. */
  readonly isForwardOnly?: boolean;
  /** What `totalResults` claims; how many there are when absent. */
  readonly total?: number;
}

/** The border between two pages, as a token remembers it. */
interface PageEdge {
  /** The list that it belongs to. */
  readonly owner: string;
  /** Its index when the token was made. */
  readonly at: number;
  /** The items on both sides of it: their places in a sorted list, their ids in another. */
  readonly before?: string | undefined;
  readonly behind?: string | undefined;
  /** Whether the page in front of it is meant, and not the one behind. */
  readonly isBack?: boolean;
}

/**
 * One page of a list that may change before the next page is read: a token remembers the items at the page's edge, so
 * that what comes or goes in between neither repeats nor hides anything.
 */
export function paginate<T extends { readonly id?: unknown }>(
  { query }: ApiCall,
  all: readonly T[],
  { place, isForwardOnly = false, total = all.length }: PageOptions<T>,
) {
  const size = query.integer("maxResults") ?? 5;
  const owner = createHash("sha1").update(query.chosenBy).digest("base64url").slice(0, 8);
  const marked = all.map((thing) => ({ thing, mark: place?.(thing) ?? JSON.stringify(thing.id) }));
  if (place !== undefined) marked.sort((one, other) => (one.mark < other.mark ? -1 : 1));
  const marks = marked.map(({ mark }) => mark);
  const token = query.text("pageToken");
  const edge = token === undefined ? undefined : readToken(token, owner);
  const at = edge === undefined ? 0 : (place ? findSorted : findNeighbour)(edge, marks);
  const start = edge?.isBack ? Math.max(0, at - size) : at;
  const end = Math.min(start + size, all.length);
  const edgeAt = (index: number) => {
    return { owner, at: index, before: marks[index - 1], behind: marks[index] };
  };
  const hasMore = size > 0 && end < all.length;
  const goesBack = start > 0 && !isForwardOnly;
  return {
    things: marked.slice(start, end).map(({ thing }) => thing),
    envelope: {
      nextPageToken: hasMore ? makeToken(edgeAt(end)) : undefined,
      prevPageToken: goesBack ? makeToken({ ...edgeAt(start), isBack: true }) : undefined,
      pageInfo: { totalResults: total, resultsPerPage: size },
    },
  };
}

/** Where one of the neighbours was moved away, the other one counts: it is nearer to the old index. */
function findNeighbour({ at, before = "", behind = "" }: PageEdge, ids: readonly string[]): number {
  const [left, right] = [ids.indexOf(before), ids.indexOf(behind)];
  const found = [...(left < 0 ? [] : [left + 1]), ...(right < 0 ? [] : [right])];
  if (found.length === 0) return Math.min(at, ids.length);
  return found.reduce((one, other) => (Math.abs(other - at) < Math.abs(one - at) ? other : one));
}

function findSorted(
  { before = "", behind = "", isBack }: PageEdge,
  places: readonly string[],
): number {
  const at = places.findIndex((place) => (isBack ? place >= behind : place > before));
  return at < 0 ? places.length : at;
}

export function makeToken({ owner, at, before, behind, isBack }: PageEdge): string {
  const fields = [owner, at, before ?? "", behind ?? "", isBack === true];
  return Buffer.from(JSON.stringify(fields)).toString("base64url");
}

/** Undefined for what was not made here. */
export function parseToken(token: string): PageEdge | undefined {
  try {
    const [owner, at, before, behind, isBack] = JSON.parse(
      Buffer.from(token, "base64url").toString(),
    );
    const isGood = typeof owner === "string" && Number.isSafeInteger(at) && at >= 0;
    return isGood ? { owner, at, before, behind, isBack } : undefined;
  } catch {
    return undefined;
  }
}

/** @throws ApiError for a token of another list. */
export function readToken(token: string, owner: string): PageEdge {
  const edge = parseToken(token);
  if (edge?.owner === owner) return edge;
  const message = "The request specifies an invalid page token.";
  throw badParameter("pageToken", message, "invalidPageToken");
}

const farFuture = 9e15;

/** The place of something in a list with the newest, or the greatest, first. */
export function descending(value: number, id: string): string {
  return `${String(farFuture - Math.round(value)).padStart(16, "0")} ${id}`;
}
