import type { SeenRequest } from "../../../src/sandbox/video/index.ts";
import { type Method, type MethodSpec, methods } from "../../../src/video/index.ts";

/** A query parameter, or the place of a body field, of one method: `videos.list hl`, `videos.update snippet.title`. */
export type MethodPlace = `${Method} ${string}`;

/** Every parameter and body field of every method. */
export function allPlaces(): readonly MethodPlace[] {
  return Object.keys(methods).flatMap((method) => placesOf(method as Method));
}

function placesOf(method: Method): readonly MethodPlace[] {
  const { query, body }: MethodSpec = methods[method];
  const names = [...Object.keys(query), ...Object.keys(body?.fields ?? {})];
  return [...new Set(names)].map((name): MethodPlace => `${method} ${name}`);
}

/** The parameters and fields that a request carried, if it succeeded. */
export function sentPlaces({
  method,
  query,
  path,
  resource,
  status = 0,
}: SeenRequest): MethodPlace[] {
  if (method === undefined || status < 200 || status >= 400) return [];
  return placesOf(method).filter((place) => {
    const name = place.slice(method.length + 1);
    if (query.has(name) || isSet(resource, name.split("."))) return true;
    return methods[method].path.includes(`{${name}}`) && path !== methods[method].path;
  });
}

/** Whether the body has this field; `*` matches any name. */
function isSet(value: unknown, [step, ...rest]: readonly string[]): boolean {
  if (step === undefined) return value !== undefined;
  if (typeof value !== "object" || value === null) return false;
  if (step === "*") return Object.values(value).some((one) => isSet(one, rest));
  return isSet((value as Readonly<Record<string, unknown>>)[step], rest);
}
