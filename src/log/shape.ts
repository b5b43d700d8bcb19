import { types } from "node:util";

/** What a field may hold once it is safe to write. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Plain[]
  | { readonly [name: string]: Plain };

const deepest = 6;
const mostItems = 100;

/**
 * Plain values as they are, an error by its five known parts, anything else by its name alone: an object of a library
 * may hold a request with its token and body.
 */
export function shape(value: unknown, depth = 0): Plain {
  if (depth > deepest) return "[deeper]";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value as Plain;
  if (isError(value)) return shapeError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof URL) return value.href;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) return shapeList(value, depth);
  return isPlain(value) ? shapeFields(value, depth) : `[${className(value)}]`;
}

function isError(value: object): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** Libraries hang the address, the headers and the body on their errors: nothing but these parts is read. */
function shapeError(error: Error, depth: number): Plain {
  const inner = error instanceof AggregateError ? { errors: read(error, "errors") } : {};
  const parts = ["name", "code", "message", "stack", "cause"].map((part) => [
    part,
    read(error, part),
  ]);
  return shapeFields({ ...Object.fromEntries(parts), ...inner }, depth);
}

function shapeList(list: readonly unknown[], depth: number): Plain {
  const shown = list.slice(0, mostItems).map((item) => shape(item, depth + 1) ?? null);
  return list.length > mostItems ? [...shown, `[${list.length - mostItems} more]`] : shown;
}

function shapeFields(value: object, depth: number): Plain {
  const names = Object.keys(value).slice(0, mostItems);
  return Object.fromEntries(names.map((name) => [name, shape(read(value, name), depth + 1)]));
}

function read(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return "[unreadable]";
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function className(value: object): string {
  const name = (read(value, "constructor") as { name?: unknown } | undefined)?.name;
  return typeof name === "string" && name !== "" ? name : "object";
}

/**
 * The value with every text in it changed, names of fields too. Secrets are taken out here, before a line is made: taken out of
 * the finished line, one that looks like a piece of it would spoil the line.
 */
export function maskTexts(value: Plain, mask: (text: string) => string): Plain {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Plain) => maskTexts(item, mask));
  const pairs = Object.entries(value).map(([name, item]) => [mask(name), maskTexts(item, mask)]);
  return Object.fromEntries(pairs);
}
