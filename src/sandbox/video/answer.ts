import { createHash } from "node:crypto";
import type { Call } from "./call.ts";
import { badParameter } from "./refusal.ts";

/** Builds each part of a resource when it is asked for; undefined leaves the part out. */
export type Parts<T> = Readonly<Record<string, (thing: T, call: Call) => object | undefined>>;

export interface ResourceOptions<T> {
  readonly kind: string;
  readonly id: unknown;
  readonly thing: T;
  readonly parts: Parts<T>;
}

/** A resource with its id and exactly the parts that were asked for. */
export function toResource<T>(call: Call, { kind, id, thing, parts }: ResourceOptions<T>): object {
  const asked = call.query
    .list("part")
    .map((name) => [name, parts[name]?.(thing, call)] as const)
    .filter(([, value]) => value !== undefined);
  const content = { id, ...Object.fromEntries(asked) };
  return { kind, etag: etagOf(content), ...content };
}

export function etagOf(content: object): string {
  return createHash("sha1").update(JSON.stringify(content)).digest("base64url");
}

export interface Slice<T> {
  readonly things: readonly T[];
  readonly envelope: {
    readonly nextPageToken?: string;
    readonly prevPageToken?: string;
    readonly pageInfo: { readonly totalResults: number; readonly resultsPerPage: number };
  };
}

/** One page of a list. Tokens are opaque and belong to the query they came from. */
export function paginate<T>(
  { query }: Call,
  all: readonly T[],
  { belongsTo, total = all.length }: { readonly belongsTo: string; readonly total?: number },
): Slice<T> {
  const size = query.integer("maxResults") ?? 5;
  const owner = createHash("sha1").update(belongsTo).digest("base64url").slice(0, 8);
  const token = query.text("pageToken");
  const start = token === undefined ? 0 : readToken(token, owner);
  const next = start + size;
  return {
    things: all.slice(start, next),
    envelope: {
      ...(size > 0 && next < all.length && { nextPageToken: makeToken(next, owner) }),
      ...(start > 0 && { prevPageToken: makeToken(Math.max(0, start - size), owner) }),
      pageInfo: { totalResults: total, resultsPerPage: size },
    },
  };
}

function makeToken(offset: number, owner: string): string {
  return Buffer.from(`${offset}.${owner}`).toString("base64url");
}

function readToken(token: string, owner: string): number {
  const [offset, given] = Buffer.from(token, "base64url").toString().split(".");
  if (given === owner && /^\d+$/.test(offset ?? "")) return Number(offset);
  const message = "The request specifies an invalid page token.";
  throw badParameter("pageToken", message, "invalidPageToken");
}

/** A list that has no pages. */
export function toList(kind: string, items: readonly object[], envelope: object = {}): object {
  const content = { kind, ...envelope, items };
  return { kind, etag: etagOf(content), ...envelope, items };
}
