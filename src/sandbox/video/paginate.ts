import { createHash } from "node:crypto";
import type { ApiCall } from "./call.ts";
import { badParameter } from "./refusal.ts";
import type { ApiResourcePage } from "./resource.ts";

interface PageOptions<T> {
  /** The query: tokens of another one are refused. */
  readonly belongsTo: string;
  /** A text that is different for every item of the list. */
  readonly idOf: (thing: T) => string;
  /** What `totalResults` claims; how many there are when absent. */
  readonly total?: number;
}

/** The border between two pages: its place when the token was given, and what stood on both sides of it. */
interface PageEdge {
  readonly at: number;
  readonly before: string | undefined;
  readonly behind: string | undefined;
  /** Whether the page in front of it is meant, and not the one behind. */
  readonly isBack: boolean;
}

/**
 * One page of a list that has an order of its own. Its neighbours find an edge again after the list has changed, so
 * that what comes or goes in between neither repeats nor hides anything.
 */
export function paginate<T>(
  { query }: ApiCall,
  all: readonly T[],
  listing: PageOptions<T>,
): ApiResourcePage<T> {
  const { belongsTo, idOf, total = all.length } = listing;
  const size = query.integer("maxResults") ?? 5;
  const owner = createHash("sha1").update(belongsTo).digest("base64url").slice(0, 8);
  const token = query.text("pageToken");
  const start = token === undefined ? 0 : findStart(readToken(token, owner), all.map(idOf), size);
  const end = Math.min(start + size, all.length);
  const tokenAt = (at: number, isBack: boolean): string => {
    const [before, behind] = all.slice(Math.max(0, at - 1), at + 1).map(idOf);
    return makeToken({ at, before, behind, isBack }, owner);
  };
  return {
    things: all.slice(start, end),
    envelope: {
      ...(size > 0 && end < all.length && { nextPageToken: tokenAt(end, false) }),
      ...(start > 0 && { prevPageToken: tokenAt(start, true) }),
      pageInfo: { totalResults: total, resultsPerPage: size },
    },
  };
}

function findStart(edge: PageEdge, ids: readonly string[], size: number): number {
  const at = find(edge, ids);
  return edge.isBack ? Math.max(0, at - size) : at;
}

/** Where one of the neighbours was moved away, the other one counts: it is nearer to the old place. */
function find({ at, before, behind }: PageEdge, ids: readonly string[]): number {
  const left = before === undefined ? -1 : ids.indexOf(before);
  const right = behind === undefined ? -1 : ids.indexOf(behind);
  const found = [...(left < 0 ? [] : [left + 1]), ...(right < 0 ? [] : [right])];
  if (found.length === 0) return Math.min(at, ids.length);
  return found.reduce((one, other) => (Math.abs(other - at) < Math.abs(one - at) ? other : one));
}

function makeToken({ at, before, behind, isBack }: PageEdge, owner: string): string {
  const fields = [owner, isBack ? "b" : "f", at, before ?? "", behind ?? ""];
  return Buffer.from(JSON.stringify(fields)).toString("base64url");
}

function readToken(token: string, owner: string): PageEdge {
  const [hash, way, at, before, behind] = parse(token);
  const isGood = hash === owner && Number.isSafeInteger(at) && Number(at) >= 0;
  if (isGood) {
    const name = (id: unknown): string | undefined => (id ? String(id) : undefined);
    return { at: Number(at), before: name(before), behind: name(behind), isBack: way === "b" };
  }
  const message = "The request specifies an invalid page token.";
  throw badParameter("pageToken", message, "invalidPageToken");
}

function parse(token: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
