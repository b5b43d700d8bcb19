export type Fields = Readonly<Record<string, unknown>>;

/**
 * What is stored with a change laid over it. Objects are merged field by field and lists are replaced whole; `undefined`
 * keeps what is there and `null` clears it.
 */
export function merge(current: unknown, change: unknown): unknown {
  if (change === undefined) return current;
  if (!isFields(change)) return change;
  const merged = new Map(Object.entries(isFields(current) ? current : {}));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name);
    else if (value !== undefined) merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

/** A JSON object: neither a list nor a time. */
export function isFields(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
