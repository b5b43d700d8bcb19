import { ApiError } from "./api-error.ts";

/** A JSON body; what it holds is checked by the handler that reads it. */
export type JsonBody = Readonly<Record<string, unknown>>;

export function parseJson(bytes: Uint8Array): JsonBody {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isObject(value)) return value;
  } catch {
    // Refused below, like JSON of another shape.
  }
  throw new ApiError(400, { reason: "parseError", message: "Parse Error" });
}

function isObject(value: unknown): value is JsonBody {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value at a path like `snippet.title`; undefined when absent. */
export function valueAt(body: JsonBody, place: string): unknown {
  return place
    .split(".")
    .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), body);
}

export function textAt(body: JsonBody, place: string): string | undefined {
  const value = valueAt(body, place);
  return typeof value === "string" ? value : undefined;
}

export function flagAt(body: JsonBody, place: string): boolean | undefined {
  const value = valueAt(body, place);
  return typeof value === "boolean" ? value : undefined;
}

/** Also of a decimal string, which is how clients without wide integers send one. */
export function integerAt(body: JsonBody, place: string): number | undefined {
  const value = valueAt(body, place);
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : undefined;
}

/** Milliseconds since 1970. */
export function timeAt(body: JsonBody, place: string): number | undefined {
  const value = textAt(body, place);
  return value === undefined ? undefined : Date.parse(value);
}

export function textsAt(body: JsonBody, place: string): readonly string[] | undefined {
  const value = valueAt(body, place);
  if (!Array.isArray(value)) return undefined;
  return value.filter((entry): entry is string => typeof entry === "string");
}

export function objectAt(body: JsonBody, place: string): JsonBody | undefined {
  const value = valueAt(body, place);
  return isObject(value) ? value : undefined;
}
