import { invalid, shown } from "./check/fault.ts";
import { isRecord } from "./check/value.ts";
import { methods } from "./methods/index.ts";
import type { MethodSpec } from "./methods/spec.ts";
import type { Given } from "./split.ts";

/** The row of a method, for callers whose types nobody has checked. @throws InputError `invalid_parameter` */
export function rowOf(method: string): MethodSpec {
  if (Object.hasOwn(methods, method)) return methods[method as keyof typeof methods];
  const allowed = "the name of a method, like videos.list";
  throw invalid("call", { parameter: "method", allowed, was: shown(method) });
}

/**
 * Parameters with lists where the row takes lists: the service takes one text with commas as well, and so do callers
 * who know it, but only a list can be checked and split. @throws InputError `invalid_parameter`
 */
export function readParams(method: string, { query }: MethodSpec, given: unknown = {}): Given {
  if (!isRecord(given)) {
    throw invalid(method, { parameter: "params", allowed: "an object", was: shown(given) });
  }
  let read = given;
  for (const name in given) {
    const value = given[name];
    if (typeof value !== "string" || !value.includes(",")) continue;
    if (!Object.hasOwn(query, name) || !query[name]?.repeated) continue;
    read = { ...read, [name]: value.split(",").map((one) => one.trim()) };
  }
  return read;
}
