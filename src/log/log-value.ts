import { types } from "node:util";

/** What a field may hold once it is safe to write. */
export type LogValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly LogValue[]
  | { readonly [name: string]: LogValue };

const maxDepth = 6;
const maxItems = 100;

/**
 * Makes a value safe to write: plain values stay, an error keeps its five known parts, and any other object becomes its class name,
 * because an object of a library may hold a request with its token and body.
 */
export function toLogValue(value: unknown, depth = 0): LogValue {
  if (depth > maxDepth) return "[deeper]";
  if (typeof value === "bigint") return String(value);
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value as LogValue;
  if (value instanceof Error || types.isNativeError(value)) return shapeError(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof URL) return value.href;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Array.isArray(value)) {
    const shown = value.slice(0, maxItems).map((item) => toLogValue(item, depth + 1) ?? null);
    return value.length > maxItems ? [...shown, `[${value.length - maxItems} more]`] : shown;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype;
  return isPlain ? shapeFields(value, depth) : `[${className(value)}]`;
}

/** Reads only these parts, because libraries attach addresses, headers and bodies to their errors. */
function shapeError(error: Error, depth: number): LogValue {
  const inner = error instanceof AggregateError ? { errors: readProperty(error, "errors") } : {};
  const parts = ["name", "code", "message", "stack", "cause"].map((part) => [
    part,
    readProperty(error, part),
  ]);
  return shapeFields({ ...Object.fromEntries(parts), ...inner }, depth);
}

function shapeFields(value: object, depth: number): LogValue {
  const names = Object.keys(value).slice(0, maxItems);
  return Object.fromEntries(
    names.map((name) => [name, toLogValue(readProperty(value, name), depth + 1)]),
  );
}

function readProperty(value: object, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return "[unreadable]";
  }
}

function className(value: object): string {
  const name = (readProperty(value, "constructor") as { name?: unknown } | undefined)?.name;
  return typeof name === "string" && name !== "" ? name : "object";
}

/**
 * Masks every text in a value, field names too. This happens before a line is made: in a finished line, a secret that looks like a
 * part of its JSON would break the line.
 */
export function maskTexts(value: LogValue, mask: (text: string) => string): LogValue {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: LogValue) => maskTexts(item, mask));
  const pairs = Object.entries(value).map(([name, item]) => [mask(name), maskTexts(item, mask)]);
  return Object.fromEntries(pairs);
}
