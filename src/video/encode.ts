import { check } from "./check.ts";
import type { MethodSpec, ParamSpec } from "./methods/spec.ts";
import type { Given } from "./split.ts";

export interface Encoded {
  /** Below the base address, its placeholders filled. */
  readonly path: string;
  readonly query: string;
  /** JSON, when the row has a body. */
  readonly body: string | undefined;
}

/** Turns parameters into what travels. @throws InputError when they do not fit the row. */
export function encode(method: string, row: MethodSpec, given: Given): Encoded {
  check(method, row, given);
  const query: string[] = [];
  let path = row.path;
  for (const name in row.query) {
    const spec = row.query[name];
    const value = given[name];
    if (spec === undefined || value === undefined || isAbsentFilter(row, name, value)) continue;
    const text = textOf(name, spec, value);
    const placeholder = `{${name}}`;
    if (path.includes(placeholder)) path = path.replace(placeholder, () => encodeText(text));
    else query.push(queryPair(name, text));
  }
  const body = row.body === undefined ? undefined : JSON.stringify(given.body);
  return { path, query: query.join("&"), body };
}

/** One `name=value` of an address. */
export function queryPair(name: string, text: string): string {
  return `${name}=${encodeText(text)}`;
}

/** Half a surrogate pair, as cut texts have it, has no encoding of its own. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** `mine: false` beside another filter means that `mine` is not the one. */
function isAbsentFilter({ filters }: MethodSpec, name: string, value: unknown): boolean {
  if (value !== false) return false;
  return [...(filters?.exactlyOne ?? []), ...(filters?.atMostOne ?? [])].includes(name);
}

function textOf(name: string, { repeated }: ParamSpec, value: unknown): string {
  if (!repeated || !Array.isArray(value)) return one(value);
  const texts = value.map(one);
  // Sorted and without repeats, equal wishes have equal addresses.
  return (name === "part" ? [...new Set(texts)].sort() : texts).join(",");
}

function one(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
