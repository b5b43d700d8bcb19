import { type Incoming, mediaType } from "./incoming.ts";
import { Refusal } from "./refusal.ts";

/** A JSON body; what it holds is checked by the handler that reads it. */
export type Body = Readonly<Record<string, unknown>>;

/** No resource comes near it; a body that does is a mistake. */
export const maxJsonBytes = 1024 * 1024;

/** The JSON object a request carries; an empty one when it carries nothing. */
export async function readJson(incoming: Incoming): Promise<Body> {
  if (!incoming.hasBody) return {};
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.chunks()) {
    size += chunk.length;
    if (size > maxJsonBytes) throw tooLarge(maxJsonBytes);
    chunks.push(chunk);
  }
  if (size === 0) return {};
  checkJsonType(incoming.headers["content-type"]);
  return parseJson(Buffer.concat(chunks));
}

export function parseJson(bytes: Uint8Array): Body {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isObject(value)) return value;
  } catch {
    // Refused below, like JSON of another shape.
  }
  throw new Refusal(400, { reason: "parseError", message: "Parse Error" });
}

export function checkJsonType(value: string | undefined): void {
  const type = mediaType(value);
  if (type === "application/json" || type?.endsWith("+json") === true) return;
  const message =
    type === undefined ? "Content-Type unset" : `Unsupported content with type: ${type}`;
  throw new Refusal(400, { reason: "badContent", message });
}

export function tooLarge(maxBytes: number): Refusal {
  const message = `The body is larger than the ${maxBytes} bytes that are accepted.`;
  return new Refusal(413, { reason: "uploadTooLarge", message });
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands at a place like `snippet.title`; undefined when it was left out. */
export function valueAt(body: Body, place: string): unknown {
  return place
    .split(".")
    .reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), body);
}

export function textAt(body: Body, place: string): string | undefined {
  const value = valueAt(body, place);
  return typeof value === "string" ? value : undefined;
}

export function flagAt(body: Body, place: string): boolean | undefined {
  const value = valueAt(body, place);
  return typeof value === "boolean" ? value : undefined;
}

/** Also of a decimal string, which is how clients without wide integers send one. */
export function integerAt(body: Body, place: string): number | undefined {
  const value = valueAt(body, place);
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : undefined;
}

/** Milliseconds since 1970. */
export function timeAt(body: Body, place: string): number | undefined {
  const value = textAt(body, place);
  return value === undefined ? undefined : Date.parse(value);
}

export function textsAt(body: Body, place: string): readonly string[] | undefined {
  const value = valueAt(body, place);
  if (!Array.isArray(value)) return undefined;
  return value.filter((entry): entry is string => typeof entry === "string");
}

export function objectAt(body: Body, place: string): Body | undefined {
  const value = valueAt(body, place);
  return isObject(value) ? value : undefined;
}
