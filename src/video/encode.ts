import { check } from "./check/check.ts";
import { invalid, shown } from "./check/fault.ts";
import { planOf } from "./check/plan.ts";
import { isGiven } from "./check/value.ts";
import type { MethodSpec, ParamSpec } from "./methods/spec.ts";
import type { Given } from "./split.ts";

export interface Encoded {
  /** Below the base address, its placeholders filled. */
  readonly path: string;
  readonly query: string;
  /** JSON, when there is a body. */
  readonly body: string | undefined;
}

/** Turns parameters into what travels. @throws InputError when they do not fit the row. */
export function encode(method: string, row: MethodSpec, given: Given): Encoded {
  check(method, row, given);
  const { names, specs, choices } = planOf(row);
  let query = "";
  let { path } = row;
  const hasPlaces = path.includes("{");
  // In the row's order, so that equal wishes have equal addresses.
  for (const name of names) {
    const value = given[name];
    if (value === undefined || !isGiven(value)) continue;
    // `mine: false` beside another filter means that `mine` is not the one.
    if (value === false && choices.has(name)) continue;
    const text = textOf(name, specs.get(name), value);
    if (hasPlaces && path.includes(`{${name}}`)) {
      // No encoding keeps these from being steps up in the path.
      if (text === "." || text === "..") {
        throw invalid(method, { parameter: name, allowed: "an id", was: shown(text) });
      }
      path = path.replace(`{${name}}`, () => encodeText(text));
    } else {
      query += `${query === "" ? "" : "&"}${queryPair(name, text)}`;
    }
  }
  return { path, query, body: given.body === undefined ? undefined : jsonOf(method, given.body) };
}

function jsonOf(method: string, body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch {
    const was = "something with circles or numbers without an end";
    throw invalid(method, { parameter: "body", allowed: "what JSON can hold", was });
  }
}

/** One `name=value` of an address. */
export function queryPair(name: string, text: string): string {
  return `${name}=${encodeText(text)}`;
}

/** Half a surrogate pair, as cut texts have it, has no encoding of its own. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function textOf(name: string, spec: ParamSpec | undefined, value: unknown): string {
  if (!spec?.repeated || !Array.isArray(value)) return one(value);
  if (name !== "part") return value.map(one).join(",");
  // Sorted and without repeats for the same reason; elsewhere the order may matter.
  const parts = value.map(one).sort();
  return parts.filter((part, index) => part !== parts[index - 1]).join(",");
}

function one(value: unknown): string {
  return value instanceof Date ? value.toISOString() : String(value);
}
