import { createHash } from "node:crypto";
import type { ApiCall } from "./call.ts";
import { type PageOptions, paginate } from "./pages.ts";

/** How things of one kind are answered: one of them, a whole list, or a page of a list. */
interface Resource<T> {
  /** With its id and the parts that the request names; or with these parts, whatever it names. */
  show(call: ApiCall, thing: T, parts?: readonly string[]): object;
  list(call: ApiCall, things: readonly T[], envelope?: object): object;
  page(call: ApiCall, all: readonly T[], options?: PageOptions<T>): object;
}

/**
 * @param describe All parts of a thing by their names; undefined ones, and undefined fields in them, are left out.
 * @param listName The kind of its lists, where it does not follow from the resource's.
 */
export function defineResource<T extends { readonly id?: unknown }>(
  name: string,
  describe: (thing: T, call: ApiCall) => Readonly<Record<string, object | undefined>>,
  listName: string = `${name}ListResponse`,
): Resource<T> {
  const resource: Resource<T> = {
    show(call, thing, parts = call.query.list("part")) {
      const all = describe(thing, call);
      const named = Object.entries(all).filter(([part]) => parts.includes(part));
      return withEtag(name, { id: thing.id, ...Object.fromEntries(named) });
    },
    list(call, things, envelope = {}) {
      const items = things.map((thing) => resource.show(call, thing));
      return withEtag(listName, { ...envelope, items });
    },
    page(call, all, options = {}) {
      const { things, envelope } = paginate(call, all, options);
      return resource.list(call, things, envelope);
    },
  };
  return resource;
}

/** What `pageInfo` says where all that was named by its id is on one page. */
export function onOnePage({ length }: readonly unknown[]): object {
  return { pageInfo: { totalResults: length, resultsPerPage: length } };
}

export function withEtag(name: string, content: object): object {
  return { kind: `youtube#${name}`, etag: makeEtag(content), ...content };
}

export function makeEtag(content: object): string {
  return createHash("sha1").update(JSON.stringify(content)).digest("base64url");
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
