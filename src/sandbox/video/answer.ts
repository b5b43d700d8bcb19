import { createHash } from "node:crypto";
import type { Call } from "./call.ts";

/** Builds each part of a resource when it is asked for; undefined leaves the part out. */
export type Parts<T> = Readonly<Record<string, (thing: T, call: Call) => object | undefined>>;

interface ResourceOptions<T> {
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

/** A list that has no pages. */
export function toList(kind: string, items: readonly object[], envelope: object = {}): object {
  const content = { kind, ...envelope, items };
  return { kind, etag: etagOf(content), ...envelope, items };
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
