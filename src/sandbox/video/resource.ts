import { createHash } from "node:crypto";
import type { ApiCall } from "./call.ts";

/** Builds the parts of a resource that are requested; undefined omits the part. */
export type ApiParts<T> = Readonly<Record<string, (thing: T, call: ApiCall) => object | undefined>>;

interface ResourceOptions<T> {
  readonly kind: string;
  readonly id: unknown;
  readonly thing: T;
  readonly parts: ApiParts<T>;
}

/** A resource with its id and exactly the requested parts. */
export function toResource<T>(
  call: ApiCall,
  { kind, id, thing, parts }: ResourceOptions<T>,
): object {
  const ids = call.query
    .list("part")
    .map((name) => [name, parts[name]?.(thing, call)] as const)
    .filter(([, value]) => value !== undefined);
  const content = { id, ...Object.fromEntries(ids) };
  return { kind, etag: etagFor(content), ...content };
}

export function etagFor(content: object): string {
  return createHash("sha1").update(JSON.stringify(content)).digest("base64url");
}

export interface ApiResourcePage<T> {
  readonly things: readonly T[];
  readonly envelope: {
    readonly nextPageToken?: string;
    readonly prevPageToken?: string;
    readonly pageInfo: { readonly totalResults: number; readonly resultsPerPage: number };
  };
}

/** A list that has no pages. */
export function toList(kind: string, items: readonly object[], envelope: object = {}): object {
  const content = { kind, ...envelope, items };
  return { kind, etag: etagFor(content), ...envelope, items };
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}
